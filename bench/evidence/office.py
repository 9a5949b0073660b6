"""The app with all the documents, asked over HTTP as its people do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from bench.evidence.corpus import documents, sent
from local.stage import running_app, token

TOKENS = "1000000000"
"""What one report may cost: here it is counted, not bounded."""


class TooSlow(Exception):
    """A report took longer than anybody waits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """What became of a request.

    Attributes:
        state: of the operation.
        reason: why it is in that state, if it says so.
        proposal: what waits for a decision, if something does.
    """

    state: str
    reason: str
    proposal: Mapping[str, Any] | None


class Office:
    """A requester and a reviewer at a running app.

    Args:
        url: Where the app answers.
        requester: The token of who asks.
        reviewer: The token of who is shown proposals.
        patience: Seconds that a report may take.
    """

    def __init__(self, *, url: str, requester: str, reviewer: str, patience: float) -> None:
        self._api = httpx.Client(base_url=f"{url}/api/", timeout=60, trust_env=False)
        self._requester, self._reviewer = _bearer(requester), _bearer(reviewer)
        self._patience = patience
        self._documents = [self._read(*sent(name)) for name in documents()]

    def ask(self, question: str) -> Ended:
        """Ask for a report on a question, from all documents, and wait for what becomes of it.

        Raises:
            TooSlow: Nothing did in time; the request is withdrawn.
        """
        asked = {"topic": question, "subtopics": [question], "documents": self._documents}
        answer = self._api.post("research", json=asked, headers=self._requester)
        path = f"operations/{answer.raise_for_status().json()['operation_id']}"
        operation = self._until(path, lambda found: found["state"] != "running")
        if operation["state"] != "awaiting_approval":
            told = operation.get("outcome") or operation.get("hold") or {}
            reason = told.get("reason", "")
            return Ended(state=operation["state"], reason=reason, proposal=None)
        shown = self._api.get(f"{path}/proposals/1", headers=self._reviewer)
        proposal = shown.raise_for_status().json()
        self._api.post(f"{path}/withdraw", json={}, headers=self._requester).raise_for_status()
        return Ended(state=operation["state"], reason="", proposal=proposal)

    def _read(self, name: str, data: bytes) -> dict[str, Any]:
        headers = {"X-File-Name": quote(name), "Content-Type": "application/octet-stream"}
        answer = self._api.post("documents", content=data, headers={**self._requester, **headers})
        read = answer.raise_for_status().json()
        return {part: read[part] for part in ("title", "text", "locators")}

    def _until(self, path: str, holds: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
        deadline = time.monotonic() + self._patience
        while time.monotonic() < deadline:
            operation = self._api.get(path, headers=self._requester).raise_for_status().json()
            if holds(operation):
                return operation
            time.sleep(0.2)
        self._api.post(f"{path}/withdraw", json={}, headers=self._requester)
        raise TooSlow


@contextmanager
def office(data: Path, model: Mapping[str, str], patience: float) -> Iterator[Office]:
    """Run the app in a folder of its own with this model until the end of a `with`.

    Args:
        data: The folder of all it keeps, and of its log.
        model: The settings that name the model.
        patience: Seconds that a report may take.
    """
    limits = {"COUNTERSIGN_TOKEN_LIMIT": TOKENS, "COUNTERSIGN_TOKENS_PER_DAY": "unlimited"}
    with running_app(data, {**limits, **model}) as host:
        yield Office(
            url=host.url,
            requester=token(data, "Rita", "Research.Requester"),
            reviewer=token(data, "Victor", "Report.Reviewer"),
            patience=patience,
        )


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
