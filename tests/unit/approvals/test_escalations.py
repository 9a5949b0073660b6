"""An escalation adds people who may approve, and keeps the approvals that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import AlreadyDecided
from countersign.approvals.events import ProposalOpened
from countersign.approvals.quorum import Needed, still_needed
from countersign.approvals.standing import awaited_roles, due_notice, next_step
from countersign.operations.summary import summarise

if TYPE_CHECKING:
    from conftest import Begin, Buy, Purchase, Story

APPROVER, ESCALATION = "Purchase.Approver", "Purchase.Escalation"


def escalated(story: Purchase, *approvers: str, amount: str = "60000.00") -> Purchase:
    """An order that expired after these people had approved it, and is offered again."""
    for name in approvers:
        story.decide(getattr(story, name))
    story.expire()
    story.offer(amount, story.current.content)
    return story


def test_a_firm_with_one_chief_can_place_a_large_order(buy: Buy) -> None:
    order = escalated(buy("60000.00"), "ann", "bob")
    assert order.current.origin == "escalation"
    assert order.current.approvers == {order.ann.id, order.bob.id}
    order.decide(order.eve)
    assert order.current.status == "approved"


def test_approvals_that_are_kept_name_the_rows_that_hold_them(buy: Buy) -> None:
    order = buy("60000.00")
    order.decide(order.ann)
    [(sequence, approval)] = order.current.decisions
    escalated(order)
    opened = order.events[-1]
    assert isinstance(opened, ProposalOpened)
    assert opened.kept == (sequence,)
    assert order.current.decisions == ((sequence, approval),)


@pytest.mark.parametrize("rest", [("eve", "fay"), ("bob", "eve"), ("eve", "both"), ("both", "fay")])
def test_the_added_role_fills_any_seat_that_is_empty(buy: Buy, rest: tuple[str, ...]) -> None:
    order = escalated(buy("60000.00"), "ann")
    for name in rest:
        assert order.current.status == "pending"
        order.decide(getattr(order, name))
    assert order.current.status == "approved"


@pytest.mark.parametrize("people", [("ann", "bob", "cyd"), ("eve", "ann"), ("eve", "fay")])
def test_it_takes_as_many_people_as_before_and_a_countersigner(
    buy: Buy, people: tuple[str, ...]
) -> None:
    order = escalated(buy("60000.00"))
    for name in people:
        order.decide(getattr(order, name))
    assert order.current.status == "pending"


def test_what_the_added_role_makes_possible_takes_another_decision(buy: Buy) -> None:
    order = escalated(buy("50000.01"), "eve", "fay", "ann", amount="50000.01")
    assert order.current.status == "pending"
    assert order.current.approvers == {order.eve.id, order.fay.id}
    order.decide(order.ann)
    assert order.current.status == "approved"


def test_whoever_approved_before_is_told_that_it_counts(buy: Buy) -> None:
    order = buy("60000.00")
    order.decide(order.ann)
    stands = AlreadyDecided(by="Ann", at=order.now, decision="approve")
    assert escalated(order).decide(order.ann) == stands


def test_an_approval_that_was_kept_can_be_taken_back(buy: Buy) -> None:
    order = escalated(buy("60000.00"), "ann", "bob")
    order.take_back(order.ann)
    assert order.current.approvers == {order.bob.id}
    assert isinstance(order.decide(order.ann), tuple)


def test_an_approval_that_was_taken_back_is_not_kept(buy: Buy) -> None:
    order = buy("60000.00")
    order.decide(order.ann)
    order.take_back(order.ann)
    assert escalated(order).current.approvals == {}


def test_a_correction_keeps_no_approval_and_both_roles(buy: Buy) -> None:
    order = escalated(buy("60000.00"), "ann", "bob")
    order.correct(order.eve, "59000.00", widens=False)
    assert order.current.approvals == {}
    assert order.current.asked_roles == (ESCALATION, APPROVER)


def test_those_who_are_added_are_asked(buy: Buy) -> None:
    order = escalated(buy("60000.00"), "ann", "bob")
    notice = due_notice(order.operation, order.now)
    assert notice is not None
    assert (notice.key, notice.roles) == ("opened:2", (ESCALATION,))


@pytest.mark.parametrize(
    ("kept", "after", "roles"),
    [
        # seats that anybody can take, and one for the added role
        ((), (), (ESCALATION, APPROVER)),
        (("ann",), (), (ESCALATION, APPROVER)),
        ((), ("eve",), (ESCALATION, APPROVER)),
        (("ann",), ("eve",), (ESCALATION, APPROVER)),
        ((), ("eve", "fay"), (ESCALATION, APPROVER)),
        # the seat of the added role alone
        (("ann", "bob"), (), (ESCALATION,)),
        (("ann",), ("bob",), (ESCALATION,)),
    ],
)
def test_everybody_who_can_take_an_empty_seat_is_asked(
    buy: Buy, kept: tuple[str, ...], after: tuple[str, ...], roles: tuple[str, ...]
) -> None:
    order = escalated(buy("60000.00"), *kept)
    for name in after:
        order.decide(getattr(order, name))
    notice = due_notice(order.operation, order.now)
    row = summarise(order.operation)
    assert notice is not None
    assert (notice.key, notice.roles) == ("opened:2", roles)
    assert (row.awaited, row.required_role) == (roles, roles[0])
    assert awaited_roles(order.current) == roles


def test_who_was_asked_with_all_others_is_not_told_that_the_own_seat_is_the_last(buy: Buy) -> None:
    order = escalated(buy("60000.00"), "ann")
    order.reserve_notice("opened:2")
    order.decide(order.bob)
    assert awaited_roles(order.current) == (ESCALATION,)
    assert order.due is None
    order.wait(500).settle()
    assert order.due == "reminder:2:50"


def test_what_is_needed_names_both_roles(buy: Buy) -> None:
    order = escalated(buy("1000.00"), amount="1000.00")
    needed = still_needed(order.current, order.current.approvals)
    assert needed == (Needed(count=1, roles=(ESCALATION, APPROVER)),)


def test_a_reviewer_who_comes_late_can_still_approve_an_escalated_report(story: Story) -> None:
    story.expire()
    story.open()
    story.decide(story.ann)
    assert story.current.status == "approved"


def test_two_reviewers_are_one_reviewer_and_one_who_was_added(begin: Begin) -> None:
    pair = begin(quorum=2)
    pair.open()
    pair.decide(pair.ann)
    pair.expire()
    pair.open()
    assert pair.current.approvers == {pair.ann.id}
    pair.decide(pair.eve)
    assert pair.current.status == "approved"


def test_an_escalation_happens_once(buy: Buy) -> None:
    order = escalated(buy("60000.00"), "ann")
    order.expire()
    assert next_step(order.operation, 2) == "close"


def test_nobody_alone_approves_an_own_correction_after_an_escalation(buy: Buy) -> None:
    order = buy("500.00")
    order.correct(order.ann, "600.00", widens=True)
    order.decide(order.ann)
    escalated(order, amount="600.00")
    assert order.current.approvers == {order.ann.id}
    assert order.current.status == "pending"
    order.decide(order.eve)
    assert order.current.status == "approved"
