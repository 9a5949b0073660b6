"""What the explorer holds against a ledger and the books of a purchasing system."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

import pytest

from countersign.approvals.events import (
    Event,
    OperationClosed,
    ProposalApproved,
    ProposalOpened,
    WriteClaimed,
)
from countersign.approvals.outcome import Outcome
from countersign.approvals.person import SYSTEM
from testbed.explorer.promises import ended_once
from testbed.explorer.system import Placed
from testbed.orders import order

AT = datetime(2026, 3, 1, tzinfo=timezone.utc)
ORDER = order()
CONTENTS = {"content": ORDER.stored()}
BEFORE: tuple[Event, ...] = (
    ProposalOpened(
        at=AT,
        actor=SYSTEM,
        version=1,
        digest="digest",
        content="content",
        evidence=None,
        origin="draft",
        expires_at=AT,
        required_role="Purchase.Approver",
        quorum=1,
        amount=None,
    ),
    ProposalApproved(at=AT, actor=SYSTEM, version=1),
    WriteClaimed(at=AT, actor=SYSTEM, version=1, digest="digest", attempt="first"),
)


def ended(outcome: Outcome, before: Sequence[Event] = BEFORE) -> Sequence[Event]:
    return (*before, OperationClosed(at=AT, actor=SYSTEM, outcome=outcome, reason=""))


def placed(rows: int = 3, **changed: Any) -> Placed:
    content = ORDER.model_dump(mode="json", exclude_none=False)
    return Placed("PO-1", "purchase-1", {**content, **changed}, at=0.0, rows=rows)


@pytest.mark.parametrize("outcome", ["ordered", "write_unknown"])
def test_one_order_that_was_approved_and_announced_is_as_promised(outcome: Outcome) -> None:
    ended_once(ended(outcome), [placed()], CONTENTS)


@pytest.mark.parametrize(
    ("events", "orders", "why"),
    [
        (BEFORE, [], "never ended"),
        (ended("ordered"), [placed(), placed()], "2 orders"),
        (ended("ordered"), [], "nothing was ordered"),
        (ended("failed"), [placed()], "failed, and yet ordered"),
        (ended("ordered"), [placed(rows=2)], "unannounced"),
        (ended("ordered"), [placed(total="0.01")], "something else"),
    ],
)
def test_whatever_else_there_may_be_is_seen(
    events: Sequence[Event], orders: Sequence[Placed], why: str
) -> None:
    with pytest.raises(AssertionError, match=why):
        ended_once(events, orders, CONTENTS)
