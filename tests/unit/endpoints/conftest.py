"""A client of the durable runtime that knows one instance, as the genuine extension shows it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from azure.durable_functions.models.DurableOrchestrationStatus import DurableOrchestrationStatus

from testbed.genuine import calls

Shown = dict[str, Any]


class Runtime:
    """A client that says the same of any instance, and remembers what it was asked to do."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self._answer = answer
        self.did: list[str] = []

    async def get_status(self, _: str, show_history: bool = False) -> DurableOrchestrationStatus:
        hidden = () if show_history else ("historyEvents",)
        told = {name: each for name, each in self._answer.items() if name not in hidden}
        return DurableOrchestrationStatus.from_json(told)

    async def raise_event(self, *_: Any) -> None:
        self.did.append("rung")

    async def terminate(self, *_: Any) -> None:
        self.did.append("terminated")

    async def start_new(self, *_: Any, **__: Any) -> None:
        self.did.append("started")


@pytest.fixture
def runtime() -> Callable[[Mapping[str, Any]], Any]:
    """Makes a client to which an instance is shown like this."""
    return Runtime


@pytest.fixture
def waiting() -> Shown:
    """A gate that waits for a ring or its timer, last at 06:06:22 UTC on 30 November 2026."""
    [shown] = [call for call in calls("management") if "showHistory" in call["url"]]
    return json.loads(shown["answer"])


@pytest.fixture
def busy(waiting: Shown) -> Shown:
    """The same whose activity has no result yet."""
    scheduled = {"EventType": "TaskScheduled", "Name": "settle_proposal"}
    return {**waiting, "historyEvents": [*waiting["historyEvents"], scheduled]}
