"""The people of one tenant, and what they do at a host."""

from __future__ import annotations

from typing import Any

import httpx

from testbed.host import Host


class Desk:
    """What the people of one tenant do at a host."""

    TOPIC = "How durable execution survives crashes"
    ROLES = ("Research.Requester", "Report.Reviewer", "Report.Escalation")

    def __init__(self, host: Host, tenant: str = "home", lifetime: float = 43200.0) -> None:
        self.host, self.tenant = host, tenant
        self._more: dict[str, Any] = {"tenant": tenant, "lifetime": lifetime}
        requesting, deciding, escalating = self.ROLES
        self.requester = self.person("Rita", requesting)
        self.reviewer = self.person("Victor", deciding)
        self.second = self.person("Wanda", deciding)
        self.escalation = self.person("Edith", escalating)

    def person(self, name: str, *roles: str) -> str:
        """The token of somebody of this tenant."""
        return self.host.token(name, *roles, **self._more)

    def ask(self, topic: str = TOPIC, **body: Any) -> str:
        """Ask for a report; returns the operation's id."""
        answer = self.host.call(
            "POST", "research", self.requester, json={"topic": topic, "subtopics": [topic], **body}
        )
        assert answer.status_code == 202, answer.text
        return answer.json()["operation_id"]

    def report_waiting(self, topic: str, seconds: int, **terms: Any) -> str:
        """A report on a topic that waits this long for a decision; returns the operation's id."""
        text = f"{topic} are explained in this sentence of a source."
        documents = [{"title": topic, "text": text}]
        approval = {"window_seconds": seconds, **terms}
        operation = self.ask(topic, documents=documents, approval=approval)
        self.until_state(operation, "awaiting_approval")
        return operation

    def operation(self, operation_id: str) -> dict[str, Any]:
        """The operation as its requester sees it."""
        answer = self.host.call("GET", f"operations/{operation_id}", self.requester)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def until_state(self, operation_id: str, *states: str) -> dict[str, Any]:
        """Wait until the operation is in one of these states."""

        def reached() -> dict[str, Any] | None:
            operation = self.operation(operation_id)
            return operation if operation["state"] in states else None

        return self.host.until(reached, f"{operation_id} is {' or '.join(states)}")

    def until_version(self, operation_id: str, version: int = 1) -> dict[str, Any]:
        """Wait until this version waits for a decision; returns its summary."""

        def opened() -> dict[str, Any] | None:
            proposal = self.operation(operation_id)["proposal"]
            return proposal if proposal and proposal["version"] == version else None

        return self.host.until(opened, f"version {version} of {operation_id} is open")

    def decide(
        self,
        operation_id: str,
        proposal: dict[str, Any],
        decision: str = "approve",
        *,
        token: str | None = None,
        **body: Any,
    ) -> httpx.Response:
        """Send a decision about a version as shown; a rejection has some reason or other."""
        if decision == "reject":
            body.setdefault("comment", "No.")
        return self.host.call(
            "POST",
            f"operations/{operation_id}/proposals/{proposal['version']}/decision",
            token or self.reviewer,
            json={"decision": decision, "digest": proposal["digest"], **body},
        )

    def history(self, operation_id: str) -> list[dict[str, Any]]:
        """The events of the operation's ledger, whose chain must be intact."""
        answer = self.host.call("GET", f"operations/{operation_id}/history", self.requester).json()
        assert answer["chain"] == "intact"
        return answer["events"]

    def reconcile(self) -> None:
        """Run the reconciler now, as its timer would within a minute."""
        self.host.reconcile()
