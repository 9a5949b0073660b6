"""Which instances the reconciler starts, rings, and replaces."""

from __future__ import annotations

from asyncio import Event
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any

import pytest

from countersign.approvals import offering
from countersign.approvals.events import OperationStarted
from countersign.approvals.folding import fold
from countersign.approvals.operation import Operation
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from countersign.operations.repository import Operations
from countersign.stores.memory import MemoryLedger
from countersign.stores.memory_index import MemoryIndex
from endpoints.reconcile import DEAD_AFTER, DEAF_AFTER, move_on, show_announced, wake_gate

Shown = dict[str, Any]
Runtime = Callable[..., Any]
WOKEN = datetime(2026, 11, 30, 6, 6, 22, tzinfo=timezone.utc)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
STORY, GATE = "op-1", "op-1-v1"


def asked(at: datetime) -> OperationStarted:
    """A request, made then; what comes of it waits for a minute, and nobody is reminded."""
    return OperationStarted(
        at=at,
        actor=Actor(id="ada", name="Ada"),
        kind="research",
        title="Otters",
        request="0" * 64,
        policy=Policy(reviewer_role="Report.Reviewer", window_seconds=60, reminders=()),
    )


def expired_at(deadline: datetime) -> Operation:
    """An operation whose first version waits for a decision until then."""
    start = asked(deadline - MINUTE)
    begun = fold("home", STORY, [start])
    assert begun
    version = offering.Open(version=1, digest="d", content="c", evidence="e")
    opened = offering.open_proposal(begun, version, start.at)
    assert isinstance(opened, tuple)
    operation = fold("home", STORY, [start, *opened])
    assert operation
    return operation


async def woken(client: Any, *, deadline: datetime, before: datetime) -> list[str]:
    """What becomes of the gate of an operation that was to go on at its deadline."""
    operation = expired_at(deadline)
    assert operation.current
    await wake_gate(client, operation, operation.current, before, before + 60 * SECOND)
    return client.did


async def test_a_gate_that_was_woken_and_did_not_go_on_is_replaced(
    runtime: Runtime, waiting: Shown
) -> None:
    did = await woken(runtime(waiting), deadline=WOKEN - SECOND, before=WOKEN)
    assert did == [f"terminated {GATE}"]


@pytest.mark.parametrize(
    ("deadline", "before"),
    [
        # Not woken since
        (WOKEN, WOKEN + SECOND),
        # Woken just now
        (WOKEN - SECOND, WOKEN - SECOND),
    ],
)
async def test_a_gate_that_may_still_go_on_is_rung(
    runtime: Runtime, waiting: Shown, deadline: datetime, before: datetime
) -> None:
    assert await woken(runtime(waiting), deadline=deadline, before=before) == ["rung"]


async def test_a_gate_whose_own_activity_waits_for_its_turn_is_rung(
    runtime: Runtime, busy: Shown
) -> None:
    assert await woken(runtime(busy), deadline=WOKEN - SECOND, before=WOKEN) == ["rung"]


@pytest.mark.parametrize(
    ("asked_for", "did"),
    [
        # Azure Storage hides the work of a killed host for five minutes by default
        (WOKEN - 5 * MINUTE, "rung"),
        (WOKEN - DEAF_AFTER - MINUTE, f"terminated {GATE}"),
    ],
)
async def test_a_gate_whose_activity_is_lost_is_replaced_though_each_ring_gives_it_a_turn(
    runtime: Runtime, busy: Shown, asked_for: datetime, did: str
) -> None:
    [*others, scheduled] = busy["historyEvents"]
    lost = {**scheduled, "Timestamp": f"{asked_for:%Y-%m-%dT%H:%M:%S}.1234567Z"}
    created = f"{WOKEN - 9 * DEAF_AFTER:%Y-%m-%dT%H:%M:%SZ}"
    shown = {**busy, "createdTime": created, "historyEvents": [*others, lost]}
    operation = expired_at(WOKEN - 2 * DEAF_AFTER)
    assert operation.current
    client = runtime(shown)
    # The last ring was just now.
    await wake_gate(client, operation, operation.current, WOKEN - MINUTE, WOKEN)
    assert client.did == [did]


async def test_ledgers_that_cannot_be_read_hold_up_no_row_that_was_announced_after_them() -> None:
    operations = Operations(MemoryLedger(), MemoryIndex(), lambda: WOKEN)
    for number in range(40):
        await operations.index.announce("home", f"op-{number:02}", WOKEN + number * SECOND)
    read, seen = operations.ledger.read, list[str]()

    async def away(tenant: str, operation_id: str) -> Any:
        seen.append(operation_id)
        return await read(tenant, operation_id) if operation_id > "op-30" else await Event().wait()

    operations.ledger.read = away
    place, runs = None, 0
    while place or not runs:
        place = await show_announced(operations, WOKEN + MINUTE, place, seconds=0.05)
        runs += 1
    assert seen == [f"op-{number:02}" for number in range(40)]
    left = operations.index.announced_before(WOKEN + MINUTE)
    assert [each.operation_id async for each in left] == seen[:31]


@pytest.mark.parametrize("answer", ["Completed", "Failed", "Terminated", "Canceled"])
async def test_an_orchestration_that_is_over_is_cleared_away_and_started_again(
    runtime: Runtime, waiting: Shown, answer: str
) -> None:
    over = {**waiting, "runtimeStatus": answer}
    client = runtime({}, {STORY: over, GATE: over})
    assert await moved_on(client, WOKEN) == [f"purged {GATE}", f"purged {STORY}", "started"]


async def test_an_orchestration_that_is_gone_is_started_again(runtime: Runtime) -> None:
    assert await moved_on(runtime({}), WOKEN) == ["started"]


async def test_a_gate_that_outlived_its_orchestration_is_ended_before_that_is_started(
    runtime: Runtime, waiting: Shown
) -> None:
    assert await moved_on(runtime({}, {GATE: waiting}), WOKEN) == [f"terminated {GATE}"]


async def test_what_another_run_has_started_meanwhile_is_left_alone(
    runtime: Runtime, waiting: Shown
) -> None:
    over = {**waiting, "runtimeStatus": "Completed"}
    client = runtime({}, {STORY: over, GATE: over})

    async def purged(instance: str) -> None:
        client.show(instance, {})
        client.show(STORY, waiting)

    client.purge_instance_history = purged
    assert await moved_on(client, WOKEN) == []


async def test_gates_of_versions_that_a_ledger_from_a_backup_does_not_know_are_cleared_away(
    runtime: Runtime, waiting: Shown
) -> None:
    over = {**waiting, "runtimeStatus": "Completed"}
    client = runtime({}, {GATE: over, "op-1-v2": over})
    assert await moved_on(client, WOKEN) == [f"purged {GATE}", "purged op-1-v2", "started"]


@pytest.mark.parametrize(
    ("gate", "after", "did"),
    [
        # It may only have been started just now
        ({}, DEAF_AFTER - SECOND, "rung"),
        ({}, DEAF_AFTER, f"terminated {STORY}"),
        ({"runtimeStatus": "Failed"}, DEAF_AFTER, f"terminated {STORY}"),
        # It waits for its gate, for however long that takes
        ({"runtimeStatus": "Suspended"}, 9 * DEAD_AFTER, "rung"),
        # The gate itself does not answer
        ({"runtimeStatus": "Running"}, DEAF_AFTER, f"terminated {GATE}"),
    ],
)
async def test_an_orchestration_whose_gate_is_gone_is_dead_after_a_while(
    runtime: Runtime, busy: Shown, gate: Shown, after: timedelta, did: str
) -> None:
    shown = {GATE: {**busy, **gate} if gate else {}}
    assert await moved_on(runtime(busy, shown), WOKEN, WOKEN + after) == [did]


@pytest.mark.parametrize(
    ("status", "after", "did"),
    [
        ("Running", DEAD_AFTER - SECOND, []),
        ("Running", DEAD_AFTER, [f"terminated {STORY}"]),
        ("Pending", DEAD_AFTER, [f"terminated {STORY}"]),
        # Somebody wants it to stand still
        ("Suspended", DEAD_AFTER, []),
    ],
)
async def test_an_orchestration_at_work_is_dead_if_it_does_not_move_for_an_hour(
    runtime: Runtime, waiting: Shown, status: str, after: timedelta, did: list[str]
) -> None:
    client = runtime({**waiting, "runtimeStatus": status})
    begun = fold("home", STORY, [asked(WOKEN)])
    assert begun
    await move_on(at(WOKEN + after), client, begun, WOKEN + after - MINUTE)
    assert client.did == did


async def moved_on(client: Any, deadline: datetime, now: datetime | None = None) -> list[str]:
    """What is done at a moment about an operation that was to go on at its deadline."""
    now = now or deadline + 3 * MINUTE
    await move_on(at(now), client, expired_at(deadline), now - MINUTE)
    return client.did


def at(now: datetime) -> Any:
    """The app's services as far as they are needed here."""
    return SimpleNamespace(clock=lambda: now)
