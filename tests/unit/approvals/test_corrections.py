"""Corrections of an order: whoever goes beyond it needs somebody else to approve that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import Invalid, LastVersion, NotAuthorised, OwnRequest
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.standing import next_step

if TYPE_CHECKING:
    from conftest import Buy, Purchase


@pytest.fixture
def small(buy: Buy) -> Purchase:
    """An order for which one approval is enough."""
    return buy("100.00")


def test_who_goes_beyond_an_order_is_not_the_only_one_to_approve_it(small: Purchase) -> None:
    small.correct(small.ann, "200.00", widens=True)
    assert small.current.correctors == (small.ann.id,)
    small.decide(small.ann)
    assert small.current.status == "pending"
    small.decide(small.bob)
    assert small.current.status == "approved"


def test_anybody_else_alone_is_enough_to_approve_what_goes_beyond(small: Purchase) -> None:
    small.correct(small.ann, "200.00", widens=True)
    small.decide(small.bob)
    assert small.current.status == "approved"


def test_who_stays_within_an_order_can_approve_it_alone(small: Purchase) -> None:
    small.correct(small.ann, "50.00", widens=False)
    assert small.current.correctors == ()
    small.decide(small.ann)
    assert small.current.status == "approved"


def test_a_correction_is_never_approved_by_being_made(small: Purchase) -> None:
    small.correct(small.ann, "50.00", widens=False)
    assert small.current.status == "pending"
    assert small.current.approvals == {}


def test_going_back_within_does_not_undo_that_somebody_went_beyond(small: Purchase) -> None:
    small.correct(small.ann, "200.00", widens=True)
    small.correct(small.ann, "100.00", widens=False)
    assert small.current.correctors == (small.ann.id,)
    small.decide(small.ann)
    assert small.current.status == "pending"


def test_another_who_stays_within_is_no_corrector_and_can_approve_alone(small: Purchase) -> None:
    small.correct(small.ann, "200.00", widens=True)
    small.correct(small.bob, "150.00", widens=False)
    assert small.current.correctors == (small.ann.id,)
    small.decide(small.bob)
    assert small.current.status == "approved"


def test_going_beyond_what_was_narrowed_before_is_going_beyond(small: Purchase) -> None:
    small.correct(small.ann, "10.00", widens=False)
    small.correct(small.ann, "100.00", widens=True)
    small.decide(small.ann)
    assert small.current.status == "pending"


def test_all_who_went_beyond_are_remembered_through_an_escalation(small: Purchase) -> None:
    small.correct(small.bob, "200.00", widens=True)
    small.correct(small.both, "300.00", widens=True)
    small.expire()
    small.offer("300.00", small.current.content, widens=False)
    assert small.current.origin == "escalation"
    assert small.current.correctors == tuple(sorted([small.bob.id, small.both.id]))
    small.decide(small.both)
    assert small.current.status == "pending"
    small.decide(small.eve)
    assert small.current.status == "approved"


def test_where_two_are_needed_anyway_the_corrector_is_one_of_them(buy: Buy) -> None:
    story = buy("1000.01")
    story.correct(story.ann, "2000.00", widens=True)
    story.decide(story.ann)
    story.decide(story.bob)
    assert story.current.status == "approved"


def test_a_corrector_who_countersigns_is_one_of_three(buy: Buy) -> None:
    story = buy("50000.01")
    story.correct(story.eve, "60000.00", widens=True)
    story.decide(story.eve)
    assert story.current.status == "pending"
    story.decide(story.ann)
    story.decide(story.bob)
    assert story.current.status == "approved"


def test_a_corrector_with_both_roles_does_not_stand_for_two(buy: Buy) -> None:
    story = buy("50000.01")
    story.correct(story.both, "60000.00", widens=True)
    story.decide(story.both)
    story.decide(story.ann)
    assert story.current.status == "pending"
    story.decide(story.bob)
    assert story.current.status == "approved"


@pytest.mark.parametrize("comment", ["", "less, please"])
def test_nobody_else_makes_the_correction_that_a_reviewer_wants(
    small: Purchase, comment: str
) -> None:
    refused = Invalid(fields={"correction": "include your correction: there is no team to make it"})
    assert small.revise(small.ann, comment) == refused
    assert small.current.status == "pending"


def test_a_correction_needs_no_words(small: Purchase) -> None:
    assert isinstance(small.revise(small.ann, "", "less"), tuple)


def test_the_requester_corrects_nothing(small: Purchase) -> None:
    assert small.revise(small.requester, "", "more") == OwnRequest()


def test_nothing_but_the_correction_is_the_next_version(small: Purchase) -> None:
    small.revise(small.ann, "", "less")
    assert isinstance(small.offer("1.00", "something else"), Invalid)
    assert small.offer("1.00", "less")
    assert small.current.origin == "correction"


def test_the_last_version_takes_a_wish_but_no_correction(small: Purchase) -> None:
    for _ in range(MAX_VERSIONS - 1):
        small.correct(small.ann, "100.00", widens=False)
    assert small.revise(small.bob, "", "again") == LastVersion(most=MAX_VERSIONS)
    assert isinstance(small.revise(small.bob, " "), Invalid)
    assert isinstance(small.revise(small.bob, "less"), tuple)
    assert next_step(small.operation, MAX_VERSIONS) == "close"


def test_there_is_nobody_to_ask_about_an_order(small: Purchase) -> None:
    answer = small.ask(small.ann)
    assert isinstance(answer, Invalid)
    assert list(answer.fields) == ["question"]
    assert isinstance(small.ask(small.outsider), NotAuthorised)
    assert small.ask(small.requester) == OwnRequest()
    assert small.operation.questions == ()
