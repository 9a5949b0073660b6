"""Which gates the reconciler rings, and which it replaces."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from countersign.approvals import rules
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation, fold
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from endpoints.reconcile import wake_gate

Shown = dict[str, Any]
Runtime = Callable[[Shown], Any]
WOKEN = datetime(2026, 11, 30, 6, 6, 22, tzinfo=timezone.utc)
SECOND = timedelta(seconds=1)


def expired_at(deadline: datetime) -> Operation:
    """An operation whose first version waits for a decision until then."""
    asked = OperationStarted(
        at=deadline - 60 * SECOND,
        actor=Actor(id="ada", name="Ada"),
        kind="research",
        title="Otters",
        request="0" * 64,
        policy=Policy(reviewer_role="Report.Reviewer", window_seconds=60),
    )
    begun = fold("home", "op-1", [asked])
    assert begun
    version = rules.Open(version=1, digest="d", content="c", evidence="e")
    opened = rules.open_proposal(begun, version, asked.at)
    assert isinstance(opened, tuple)
    operation = fold("home", "op-1", [asked, *opened])
    assert operation
    return operation


async def woken(client: Any, *, deadline: datetime, before: datetime) -> list[str]:
    """What becomes of the gate of an operation that was to go on at its deadline."""
    operation = expired_at(deadline)
    assert operation.current
    await wake_gate(client, operation, operation.current, before)
    return client.did


async def test_a_gate_that_was_woken_and_did_not_go_on_is_replaced(
    runtime: Runtime, waiting: Shown
) -> None:
    did = await woken(runtime(waiting), deadline=WOKEN - SECOND, before=WOKEN)
    assert did == ["terminated"]


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
