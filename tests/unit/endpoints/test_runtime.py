"""What the durable runtime says of an instance."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import pytest

from countersign.approvals.events import OperationStarted
from countersign.approvals.folding import begin
from countersign.approvals.operation import Operation
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from endpoints.runtime import (
    NoRuntime,
    has_work_under_way,
    last_turn_of,
    never_began,
    ring,
    start_at_once,
)

Shown = dict[str, Any]
Runtime = Callable[..., Any]


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


@pytest.mark.parametrize("status", ["Completed", "Failed", "Terminated"])
async def test_what_waits_for_an_operator_is_started_as_soon_as_its_last_instance_is_over(
    runtime: Runtime, waiting: Shown, begun: Operation, status: str
) -> None:
    client = runtime({**waiting, "runtimeStatus": status})
    assert await start_at_once(client, begun) == "delivered"
    assert client.did == ["purged op-1", "started"]


async def test_an_instance_that_does_not_end_is_left_to_the_reconciler(
    runtime: Runtime, waiting: Shown, begun: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("endpoints.runtime.PATIENCE_SECONDS", 0.1)
    client = runtime({**waiting, "runtimeStatus": "Running"})
    assert await start_at_once(client, begun) == "pending"
    assert client.did == []


async def test_what_another_caller_has_started_meanwhile_is_left_alone(
    runtime: Runtime, waiting: Shown, begun: Operation
) -> None:
    client = runtime({**waiting, "runtimeStatus": "Completed"})
    looks = client.get_status

    async def then_started(instance: str) -> Any:
        seen = await looks(instance)
        client.show(instance, {**waiting, "runtimeStatus": "Running"})
        return seen

    client.get_status = then_started
    assert await start_at_once(client, begun) == "delivered"
    assert client.did == []


async def test_what_has_no_instance_never_began(runtime: Runtime, begun: Operation) -> None:
    assert await never_began(runtime({}), begun)


@pytest.mark.parametrize("status", ["Pending", "Running", "Failed"])
async def test_what_has_an_instance_began(
    runtime: Runtime, waiting: Shown, begun: Operation, status: str
) -> None:
    assert not await never_began(runtime({**waiting, "runtimeStatus": status}), begun)


async def test_nobody_says_that_something_never_began_without_an_answer(begun: Operation) -> None:
    class Away:
        async def get_status(self, *_: Any) -> Any:
            raise OSError("no route to the host")

    away: Any = Away()
    assert not await never_began(away, begun)


@pytest.fixture
def begun() -> Operation:
    """An operation that was just asked for."""
    asked = OperationStarted(
        at=datetime(2026, 11, 30, tzinfo=timezone.utc),
        actor=Actor(id="ada", name="Ada"),
        kind="research",
        title="Otters",
        request="0" * 64,
        policy=Policy(reviewer_role="Report.Reviewer"),
    )
    return begin("home", "op-1", asked)


@pytest.mark.parametrize("status", ["Pending", "Running"])
async def test_a_ring_that_comes_before_the_gate_is_left_to_the_orchestration_that_starts_it(
    runtime: Runtime,
    waiting: Shown,
    begun: Operation,
    status: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    client = deaf(runtime({}, {"op-1": {**waiting, "runtimeStatus": status}}))
    assert await ring(client, begun, 1) == "pending"
    assert client.did == []
    assert "op-1-v1 is rung later: it is not started" in caplog.text


async def test_a_ring_without_gate_and_orchestration_starts_the_operation_from_its_ledger(
    runtime: Runtime, begun: Operation
) -> None:
    client = deaf(runtime({}))
    assert await ring(client, begun, 1) == "delivered"
    assert client.did == ["started"]


@pytest.mark.parametrize(
    ("status", "delivery"),
    [("Completed", "delivered"), ("Terminated", "pending"), ("Failed", "pending")],
)
async def test_a_gate_that_is_over_heard_all_there_was_or_is_replaced_by_the_reconciler(
    runtime: Runtime, waiting: Shown, begun: Operation, status: str, delivery: str
) -> None:
    client = deaf(runtime({**waiting, "runtimeStatus": status}))
    assert await ring(client, begun, 1) == delivery
    assert client.did == []


async def test_a_ring_that_a_runtime_does_not_answer_is_not_tried_in_another_way(
    begun: Operation, caplog: pytest.LogCaptureFixture
) -> None:
    away: Any = NoRuntime()
    assert await ring(away, begun, 1) == "pending"
    assert "op-1-v1 is rung later: another task hub serves this storage" in caplog.text


def deaf(client: Any) -> Any:
    """A client that finds no instance to raise an event for, and says so as the SDK does."""

    async def raise_event(instance: str, *_: Any) -> None:
        raise Exception(f"No instance with ID {instance} found.")  # noqa: TRY002 - as the SDK does

    client.raise_event = raise_event
    return client
