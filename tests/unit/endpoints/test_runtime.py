"""What the durable runtime says of an instance."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import pytest

from endpoints.runtime import has_work_under_way, last_turn_of

Shown = dict[str, Any]
Runtime = Callable[[Shown], Any]


async def test_a_running_instance_had_its_last_turn_when_it_was_updated(
    runtime: Runtime, waiting: Shown
) -> None:
    last = await last_turn_of(runtime(waiting), "gate")
    assert last == datetime(2026, 11, 30, 6, 6, 22, tzinfo=timezone.utc)


@pytest.mark.parametrize("status", ["Pending", "Suspended", "Completed", "Failed", "Terminated"])
async def test_what_does_not_run_has_no_last_turn(
    runtime: Runtime, waiting: Shown, status: str
) -> None:
    assert await last_turn_of(runtime({**waiting, "runtimeStatus": status}), "gate") is None


async def test_what_is_not_there_has_no_last_turn(runtime: Runtime) -> None:
    assert await last_turn_of(runtime({}), "gate") is None


async def test_a_gate_that_waits_for_a_ring_or_its_timer_has_no_work_under_way(
    runtime: Runtime, waiting: Shown
) -> None:
    assert not await has_work_under_way(runtime(waiting), "gate")


async def test_a_gate_whose_activity_has_no_result_yet_has_work_under_way(
    runtime: Runtime, busy: Shown
) -> None:
    assert await has_work_under_way(runtime(busy), "gate")


@pytest.mark.parametrize("answer", [{"historyEvents": None}, {"Message": "no"}])
async def test_without_a_history_nothing_is_known_to_be_under_way(
    runtime: Runtime, answer: Shown
) -> None:
    assert not await has_work_under_way(runtime(answer), "gate")
