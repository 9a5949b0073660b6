"""An operation ends only as what its state makes true."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, get_args

import pytest

from countersign.approvals.errors import Invalid
from countersign.approvals.events import OperationClosed
from countersign.approvals.outcome import Ending, Outcome
from countersign.approvals.person import SYSTEM
from countersign.approvals.standing import ended, implied_outcome

if TYPE_CHECKING:
    from conftest import Begin, Buy, Story

OUTCOMES: tuple[Outcome, ...] = ("published", "ordered", *get_args(Ending))


def _nothing(story: Story) -> None:
    """Leave the operation as it was started."""


def _pending(story: Story) -> None:
    story.open()


def _revised(story: Story) -> None:
    story.open()
    story.revise(story.ann)


def _escalating(story: Story) -> None:
    story.open()
    story.expire()


def _approved(story: Story) -> None:
    story.open()
    story.decide(story.ann)


def _reserved(story: Story) -> None:
    _approved(story)
    story.reserve()


def _received(story: Story) -> None:
    _reserved(story)
    story.receive()


def _refused(story: Story) -> None:
    _reserved(story)
    story.refuse()


def _rejected(story: Story) -> None:
    story.open()
    story.decide(story.ann, "reject")


def _expired(story: Story) -> None:
    _escalating(story)
    story.open()
    story.expire()


def _withdrawn(story: Story) -> None:
    _approved(story)
    story.withdraw()


# (what happened, the outcome it implies, the other outcomes it allows)
CLOSINGS: list[tuple[Callable[[Story], None], Outcome | None, set[Outcome]]] = [
    (_nothing, None, {"failed", "needs_revision", "over_budget"}),
    (_pending, None, {"failed"}),
    (_revised, None, {"failed", "needs_revision", "over_budget"}),
    (_escalating, None, {"failed"}),
    (_approved, None, {"failed"}),
    # only the destination knows, so nobody may say that it failed
    (_reserved, None, {"write_unknown"}),
    # nothing was written, and that is known
    (_refused, None, {"failed"}),
    (_received, "published", set()),
    (_rejected, "rejected", set()),
    (_expired, "expired", set()),
    (_withdrawn, "withdrawn", set()),
]
by_state = pytest.mark.parametrize(
    ("happened", "implied", "allowed"), CLOSINGS, ids=[row[0].__name__ for row in CLOSINGS]
)


@by_state
def test_a_closing_takes_what_the_state_implies(
    begin: Begin,
    happened: Callable[[Story], None],
    implied: Outcome | None,
    allowed: set[Outcome],
) -> None:
    story = begin()
    happened(story)
    assert implied_outcome(story.operation, "published") == implied
    answer = story.close()
    if implied is None:
        assert isinstance(answer, Invalid)
    else:
        reason = "no" if implied == "rejected" else "because"
        closed = OperationClosed(at=story.now, actor=SYSTEM, outcome=implied, reason=reason)
        assert answer == (closed,)


def test_an_end_has_the_reason_of_the_person_who_ended_it(begin: Begin) -> None:
    for decide in (
        lambda story: story.decide(story.ann, "reject", comment="too vague"),
        lambda story: story.withdraw(reason="too vague"),
    ):
        story = begin()
        story.open()
        decide(story)
        story.close()
        assert story.operation.closed is not None
        assert story.operation.closed.reason == "too vague"


@by_state
@pytest.mark.parametrize("wanted", OUTCOMES)
def test_a_wanted_outcome_counts_only_where_the_state_leaves_it_open(
    begin: Begin,
    happened: Callable[[Story], None],
    implied: Outcome | None,
    allowed: set[Outcome],
    wanted: Outcome,
) -> None:
    story = begin()
    happened(story)
    story.close(wanted)
    closed = story.operation.closed
    if implied:
        assert closed is not None
        assert closed.outcome == implied
    elif wanted in allowed:
        assert closed is not None
        assert closed.outcome == wanted
    else:
        assert closed is None


def test_an_order_ends_as_ordered_and_never_as_published(buy: Buy) -> None:
    story = buy("100.00")
    story.decide(story.ann)
    story.reserve()
    story.receive()
    story.close("published")
    assert story.operation.closed is not None
    assert story.operation.closed.outcome == "ordered"


def test_what_has_no_receipt_never_ends_as_ordered(buy: Buy) -> None:
    story = buy("100.00")
    story.decide(story.ann)
    for step in (story.reserve, story.refuse):
        step()
        assert isinstance(story.close("ordered"), Invalid)


def test_the_first_closing_stands(story: Story) -> None:
    story.close("failed")
    assert story.wait(1).close("failed") == ()
    assert story.close() == ()


def test_an_operation_has_ended_once_it_is_withdrawn_or_closed(begin: Begin) -> None:
    story = begin()
    assert ended(story.operation) is None
    story.withdraw()
    withdrawn = ended(story.operation)
    assert withdrawn is not None
    assert (withdrawn.by, withdrawn.decision) == ("Rita", "withdraw")
    story.close()
    assert ended(story.operation) == withdrawn
