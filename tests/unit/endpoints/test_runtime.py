"""What the durable runtime says of an instance, and what follows from that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

import pytest
from azure.durable_functions.models.DurableOrchestrationStatus import DurableOrchestrationStatus

from endpoints.runtime import waits_since
from testbed.genuine import calls

[WAITING] = [
    json.loads(call["answer"]) for call in calls("management") if "showHistory" in call["url"]
]
"""A gate that waits, as the genuine extension shows it."""
SCHEDULED = {"EventType": "TaskScheduled", "Name": "settle_proposal"}


class Runtime:
    """A client of the durable runtime that knows one instance."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self._answer = answer

    async def get_status(self, _: str, show_history: bool = False) -> DurableOrchestrationStatus:
        hidden = () if show_history else ("historyEvents",)
        told = {name: each for name, each in self._answer.items() if name not in hidden}
        return DurableOrchestrationStatus.from_json(told)


async def since(answer: Mapping[str, Any]) -> datetime | None:
    client: Any = Runtime(answer)
    return await waits_since(client, "gate")


async def test_a_gate_that_waits_for_a_ring_or_its_timer_does_so_since_its_last_turn() -> None:
    assert await since(WAITING) == datetime(2026, 11, 30, 6, 6, 22, tzinfo=timezone.utc)


async def test_one_whose_activity_waits_for_its_turn_is_not_waiting_itself() -> None:
    busy = {**WAITING, "historyEvents": [*WAITING["historyEvents"], SCHEDULED]}
    assert await since(busy) is None


@pytest.mark.parametrize("status", ["Pending", "Suspended", "Completed", "Failed", "Terminated"])
async def test_nothing_waits_that_does_not_run(status: str) -> None:
    assert await since({**WAITING, "runtimeStatus": status}) is None


async def test_what_is_not_there_does_not_wait() -> None:
    assert await since({}) is None
