"""A client of the durable runtime that shows instances as the genuine extension does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from azure.durable_functions.models.DurableOrchestrationStatus import DurableOrchestrationStatus

from testbed.genuine import calls

Shown = dict[str, Any]


class Runtime:
    """A client that remembers what it was asked to do.

    Args:
        answer: what it says of any instance.
        others: what it says of some in place of that, by their ids.
    """

    def __init__(
        self, answer: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self._answer, self._others = answer, dict(others or {})
        self.did: list[str] = []

    def show(self, instance: str, answer: Mapping[str, Any]) -> None:
        """Say this of an instance from now on."""
        self._others[instance] = answer

    async def get_status(
        self, instance: str, show_history: bool = False
    ) -> DurableOrchestrationStatus:
        hidden = () if show_history else ("historyEvents",)
        shown = self._others.get(instance, self._answer)
        told = {name: each for name, each in shown.items() if name not in hidden}
        return DurableOrchestrationStatus.from_json(told)

    async def raise_event(self, *_: Any) -> None:
        self.did.append("rung")

    async def terminate(self, instance: str, *_: Any) -> None:
        self.did.append(f"terminated {instance}")

    async def purge_instance_history(self, instance: str) -> None:
        self.show(instance, {})
        self.did.append(f"purged {instance}")

    async def start_new(self, *_: Any, **__: Any) -> None:
        self.did.append("started")


@pytest.fixture
def runtime() -> Callable[..., Any]:
    """Makes a client to which an instance is shown like this, and some others otherwise."""
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
