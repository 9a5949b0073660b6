"""How many of the app's files an operation goes through: so many does its reader have to open.

All functions count that run between a request and what comes of it, on whatever thread; what a
module does when it is loaded does not. The reconciler rests: on a slow machine its minute would
come in between.

The bounds keep the figures from growing. Half of the files would do if files of one noun were
merged into some of 400 lines, which nobody would rather read: a reader follows one step through
three or four files, and opens the ledger, the stores, the sign-in or the tracing for their own
sake.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

COUNTED = Path(__file__).parent / "counted"

MOST = {"drafting": 142, "correcting": 84, "writing": 82}
"""Files from the topic to the open proposal, from a correction to the next version, and from an
approval to the receipt."""

pytestmark = [
    pytest.mark.devhost_only("it counts in a process that the test starts"),
    pytest.mark.fair_only("what comes twice or late goes through other files too"),
]


class Way:
    """An operation going its way, and the files that it goes through."""

    def __init__(self, desk: Any) -> None:
        self.desk, self.host = desk, desk.host

    def files(self) -> list[str]:
        """The files that ran since this was asked last."""
        answer = self.host.http.post(f"{self.host.url}/api/files-run")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def asked(self) -> str:
        """Ask for a report, and wait until its first version waits for somebody."""
        operation = self.desk.ask()
        self.until_waiting(operation, 1)
        return operation

    def decided(self, operation: str, version: int, decision: str, **body: Any) -> None:
        """Decide about a version of which nothing is read but its digest."""
        proposal = {"version": version, "digest": self.digest(operation, version)}
        self.files()
        answer = self.desk.decide(operation, proposal, decision, **body)
        assert answer.status_code == 200, answer.text

    def digest(self, operation: str, version: int) -> str:
        events = self.desk.history(operation)
        opened = [each["data"] for each in events if each["type"] == "ProposalOpened"]
        return opened[version - 1]["digest"]

    def until_waiting(self, operation: str, version: int) -> None:
        """Wait, without a look at the app, until the gate of a version has set its timer."""
        self._until(
            f"{operation}-v{version}?showHistory=true", lambda status: "TimerCreated" in str(status)
        )

    def until_over(self, operation: str) -> None:
        """Wait, without a look at the app, until an operation has ended."""
        self._until(operation, lambda status: status["runtimeStatus"] == "Completed")

    def _until(self, instance: str, holds: Callable[[Any], bool]) -> None:
        def seen() -> bool:
            answer = self.host.manage("GET", f"instances/{instance}")
            return answer.status_code in {200, 202} and holds(answer.json())

        self.host.until(seen, instance)


@pytest.fixture
def ran(make_host: Callable[..., Any], desk_at: Callable[..., Any]) -> dict[str, list[str]]:
    """The files that ran on each part of the way, the second time: the first one loads them."""
    host = make_host(app=COUNTED, AzureWebJobs_reconcile_Disabled="true")
    way = Way(desk_at(host.start()))
    ran: dict[str, list[str]] = {}
    for _ in range(2):
        way.files()
        operation = way.asked()
        ran["drafting"] = way.files()
        edited = {"text": "# Crashes\n\nDurable execution survives them.\n"}
        way.decided(operation, 1, "revise", correction=edited)
        way.until_waiting(operation, 2)
        ran["correcting"] = way.files()
        way.decided(operation, 2, "approve", token=way.desk.second)
        way.until_over(operation)
        ran["writing"] = way.files()
    return ran


def test_an_operation_goes_through_few_files(ran: dict[str, list[str]]) -> None:
    over = {part: files for part, files in ran.items() if len(files) > MOST[part]}
    assert {part: len(files) for part, files in over.items()} == {}
