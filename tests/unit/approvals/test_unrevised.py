"""A revision that can't be made takes nothing away: the text waits for a decision again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import AlreadyDecided, Invalid, Superseded
from countersign.operations.summary import stage_of, state_of

if TYPE_CHECKING:
    from conftest import Story


@pytest.fixture
def unrevised(story: Story) -> Story:
    """A version that a reviewer sent back with a wish that can't be fulfilled."""
    story.revise(story.ann)
    story.leave_unrevised("The model declined to answer.")
    return story


def test_the_same_text_waits_again_and_says_why(unrevised: Story) -> None:
    unrevised.open(content="draft")
    first, second = unrevised.operation.proposals
    assert (second.content, second.origin, second.status) == (first.content, "unchanged", "pending")
    assert second.failure == "The model declined to answer."
    assert first.failure is None
    assert second.required_role == first.required_role


def test_no_other_text_takes_its_place(unrevised: Story) -> None:
    assert isinstance(unrevised.open(content="another"), Invalid)


def test_it_can_be_approved_and_only_by_a_new_decision(unrevised: Story) -> None:
    assert isinstance(unrevised.decide(unrevised.bob, version=1), AlreadyDecided)
    unrevised.open(content="draft")
    assert isinstance(unrevised.decide(unrevised.bob, version=1), Superseded)
    assert unrevised.current.status == "pending"
    assert unrevised.decide(unrevised.ann)
    assert unrevised.current.status == "approved"


def test_another_wish_can_follow(unrevised: Story) -> None:
    unrevised.open(content="draft")
    assert unrevised.revise(unrevised.ann, "longer")
    unrevised.open(content="another")
    assert (unrevised.current.origin, unrevised.current.failure) == ("revision", None)


def test_whose_correction_it_was_still_counts(story: Story) -> None:
    story.revise(story.ann, correction="own text")
    story.open(content="own text")
    story.revise(story.bob, "shorter")
    story.leave_unrevised()
    story.open(content="own text")
    assert story.current.correctors == (story.ann.id,)
    story.decide(story.ann)
    assert story.current.status == "pending"


def test_it_is_recorded_once(unrevised: Story) -> None:
    assert unrevised.leave_unrevised() == ()
    unrevised.open(content="draft")
    assert unrevised.leave_unrevised(version=1) == ()


def test_only_what_is_to_be_revised_can_fail_to_be(story: Story) -> None:
    assert isinstance(story.leave_unrevised(), Invalid)
    story.revise(story.ann, correction="own text")
    assert isinstance(story.leave_unrevised(), Invalid)


def test_a_withdrawal_counts_more(story: Story) -> None:
    story.revise(story.ann)
    story.withdraw()
    assert isinstance(story.leave_unrevised(), AlreadyDecided)


def test_it_ends_a_hold_of_the_revision(story: Story) -> None:
    story.revise(story.ann)
    story.hold(step="draft:2")
    assert (state_of(story.operation), stage_of(story.operation)) == ("needs_operator", "revising")
    story.leave_unrevised()
    assert story.operation.hold is None
