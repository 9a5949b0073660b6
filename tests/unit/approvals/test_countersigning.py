"""A third person in another role: in any order, nobody signs twice, and nobody is left out."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import AlreadyDecided, NotAuthorised, OwnRequest
from countersign.approvals.events import Decision, DecisionRecorded
from countersign.approvals.standing import awaited_roles, due_notice, next_step
from countersign.operations.summary import summarise

if TYPE_CHECKING:
    from conftest import Buy, Purchase

APPROVER, ESCALATION = "Purchase.Approver", "Purchase.Escalation"


@pytest.fixture
def large(buy: Buy) -> Purchase:
    """An order that takes two approvers and a countersigner."""
    return buy("50000.01")


@pytest.mark.parametrize("order", list(permutations(["ann", "bob", "eve"])))
def test_it_takes_all_three_in_whatever_order_they_come(
    large: Purchase, order: tuple[str, ...]
) -> None:
    for name in order:
        assert large.current.status == "pending"
        large.decide(getattr(large, name))
    assert large.current.status == "approved"


@pytest.mark.parametrize("order", [("ann", "both"), ("both", "ann")])
def test_whoever_has_both_roles_has_one_seat(large: Purchase, order: tuple[str, ...]) -> None:
    for name in order:
        large.decide(getattr(large, name))
    assert large.current.status == "pending"
    assert large.current.approvals[large.both.id] == (APPROVER, ESCALATION)


@pytest.mark.parametrize("third", ["bob", "eve"])
def test_whoever_has_both_roles_takes_the_seat_that_is_left(large: Purchase, third: str) -> None:
    large.decide(large.ann)
    large.decide(large.both)
    large.decide(getattr(large, third))
    assert large.current.status == "approved"


def test_a_third_approver_is_no_countersigner(large: Purchase) -> None:
    for who in (large.ann, large.bob, large.cyd):
        large.decide(who)
    assert large.current.status == "pending"


def test_two_countersigners_are_no_approvers(large: Purchase) -> None:
    for who in (large.eve, large.fay, large.ann):
        large.decide(who)
    assert large.current.status == "pending"
    large.decide(large.bob)
    assert large.current.status == "approved"


@pytest.mark.parametrize("who", ["ann", "both", "eve"])
def test_the_same_person_twice_has_one_seat(large: Purchase, who: str) -> None:
    person = getattr(large, who)
    large.decide(person)
    assert large.decide(person) == ()
    assert len(large.current.approvals) == 1


def test_an_approval_too_many_hears_who_completed_it(large: Purchase) -> None:
    for who in (large.ann, large.bob, large.eve):
        large.decide(who)
    stands = AlreadyDecided(by="Eve", at=large.now, decision="approve")
    assert large.decide(large.cyd) == stands
    assert large.decide(large.fay) == stands


def test_who_asked_for_an_order_has_no_seat_whatever_their_roles(large: Purchase) -> None:
    for decision in ("approve", "reject", "revise"):
        assert large.decide(large.requester, decision, correction="c") == OwnRequest()


def test_only_the_asked_roles_have_a_seat(buy: Buy, large: Purchase) -> None:
    needs = f"the role {APPROVER} or {ESCALATION}"
    assert large.decide(large.outsider) == NotAuthorised(needs=needs)
    medium = buy("50000.00")
    assert medium.decide(medium.eve) == NotAuthorised(needs=f"the role {APPROVER}")


def test_a_decision_says_in_which_of_the_asked_roles_it_was_made(buy: Buy) -> None:
    medium = buy("50000.00")
    medium.decide(medium.both)
    assert medium.current.approvals == {medium.both.id: (APPROVER,)}


@pytest.mark.parametrize(("decision", "status"), [("reject", "rejected"), ("revise", "superseded")])
def test_a_countersigner_alone_can_refuse_or_correct(
    large: Purchase, decision: Decision, status: str
) -> None:
    large.decide(large.ann)
    large.decide(large.eve, decision, correction="less" if decision == "revise" else None)
    assert large.current.status == status
    last = large.current.decisions[-1][1]
    assert isinstance(last, DecisionRecorded)
    assert last.roles == (ESCALATION,)


def test_an_escalation_that_expires_is_the_end(large: Purchase) -> None:
    large.expire()
    large.offer("50000.01")
    large.decide(large.eve)
    large.expire()
    assert next_step(large.operation, 2) == "close"


def test_countersigners_are_asked_once_all_others_have_approved(large: Purchase) -> None:
    asked = [awaited_roles(large.current)]
    for who in (large.ann, large.bob):
        large.decide(who)
        asked.append(awaited_roles(large.current))
    assert asked == [(APPROVER,), (APPROVER,), (ESCALATION,)]
    assert summarise(large.operation).required_role == ESCALATION
    large.decide(large.eve)
    assert awaited_roles(large.current) == (APPROVER,)


@pytest.mark.parametrize("last", ["bob", "eve"])
def test_either_role_is_asked_for_the_seat_that_somebody_in_both_leaves(
    large: Purchase, last: str
) -> None:
    large.decide(large.ann)
    large.decide(large.both)
    assert awaited_roles(large.current) == (APPROVER, ESCALATION)
    assert summarise(large.operation).awaited_roles == (APPROVER, ESCALATION)
    notice = due_notice(large.operation, large.now)
    # Its key is as it was when approvers alone were told.
    assert notice
    assert (notice.key, notice.roles) == ("opened:1", (APPROVER, ESCALATION))
    large.decide(getattr(large, last))
    assert large.current.status == "approved"


def test_being_asked_last_is_news_for_countersigners_alone(large: Purchase) -> None:
    assert large.due == "opened:1"
    large.reserve_notice("opened:1")
    large.decide(large.ann)
    assert large.due is None
    large.decide(large.bob)
    notice = due_notice(large.operation, large.now)
    assert notice is not None
    assert (notice.key, notice.roles) == ("opened:1:countersign", (ESCALATION,))
    large.reserve_notice(notice.key)
    assert large.due is None


def test_reminders_go_to_whoever_is_asked_by_then(large: Purchase) -> None:
    large.wait(500).settle()
    assert large.due == "reminder:1:50"
    large.reserve_notice("reminder:1:50")
    large.decide(large.ann)
    large.decide(large.bob)
    assert large.due == "reminder:1:50:countersign"
    large.reserve_notice("reminder:1:50:countersign")
    large.wait(400).settle()
    assert large.due == "reminder:1:90:countersign"


def test_a_countersigner_who_came_first_is_not_asked_again(large: Purchase) -> None:
    large.decide(large.eve)
    large.reserve_notice("opened:1")
    large.decide(large.ann)
    large.decide(large.bob)
    assert large.current.status == "approved"
    assert large.due is None


def test_the_end_is_news_for_both_roles(large: Purchase) -> None:
    large.decide(large.eve, "reject")
    large.close()
    notice = due_notice(large.operation, large.now)
    assert notice is not None
    assert (notice.key, notice.roles) == ("outcome", (APPROVER, ESCALATION))


def test_a_small_order_asks_and_tells_approvers_alone(buy: Buy) -> None:
    small = buy("1000.00")
    assert small.current.asked_roles == (APPROVER,)
    small.decide(small.ann, "reject")
    small.close()
    notice = due_notice(small.operation, small.now)
    assert notice is not None
    assert notice.roles == (APPROVER,)
