"""What the durable runtime says of an instance, and what follows from that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

import pytest
from azure.durable_functions.models.DurableOrchestrationStatus import DurableOrchestrationStatus

from endpoints.runtime import has_work_under_way, last_turn_of
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


def runtime(answer: Mapping[str, Any]) -> Any:
    return Runtime(answer)


async def test_a_running_instance_had_its_last_turn_when_it_was_updated() -> None:
    last = await last_turn_of(runtime(WAITING), "gate")
    assert last == datetime(2026, 11, 30, 6, 6, 22, tzinfo=timezone.utc)


@pytest.mark.parametrize("status", ["Pending", "Suspended", "Completed", "Failed", "Terminated"])
async def test_what_does_not_run_has_no_last_turn(status: str) -> None:
    assert await last_turn_of(runtime({**WAITING, "runtimeStatus": status}), "gate") is None


async def test_what_is_not_there_has_no_last_turn() -> None:
    assert await last_turn_of(runtime({}), "gate") is None


async def test_a_gate_that_waits_for_a_ring_or_its_timer_has_no_work_under_way() -> None:
    assert not await has_work_under_way(runtime(WAITING), "gate")


async def test_a_gate_whose_activity_has_no_result_yet_has_work_under_way() -> None:
    busy = {**WAITING, "historyEvents": [*WAITING["historyEvents"], SCHEDULED]}
    assert await has_work_under_way(runtime(busy), "gate")


@pytest.mark.parametrize("answer", [{**WAITING, "historyEvents": None}, {"Message": "no"}])
async def test_without_a_history_nothing_is_known_to_be_under_way(answer: dict[str, Any]) -> None:
    assert not await has_work_under_way(runtime(answer), "gate")
