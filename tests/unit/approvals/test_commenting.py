"""Comments on passages can be given before a decision, by those who may make it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from countersign.approvals.commenting import MOST_ADDED, AddComments, add_comments
from countersign.approvals.errors import (
    DigestMismatch,
    Expired,
    Invalid,
    NotAuthorised,
    NotFound,
    OwnRequest,
    PeopleOnly,
    Superseded,
)
from countersign.approvals.events import CommentsAdded

if TYPE_CHECKING:
    from conftest import Buy, Story

    from countersign.approvals.person import Person
    from countersign.approvals.rules import Ruling


def command(story: Story, person: Person, comments: str = "one", count: int = 1) -> AddComments:
    current = story.current
    return AddComments(
        reviewer=person,
        version=current.version,
        digest=current.digest,
        comments=comments,
        count=count,
    )


def add(story: Story, said: AddComments) -> Ruling:
    """Record what the rule answers, as the app does."""
    return story.happen(add_comments(story.operation, said, story.now))


def test_comments_are_recorded_once_for_each_person_and_decide_nothing(story: Story) -> None:
    recorded = add(story, command(story, story.ann))
    assert isinstance(recorded, tuple)
    assert isinstance(recorded[0], CommentsAdded)
    assert add(story, command(story, story.ann)) == ()
    assert add(story, command(story, story.bob))
    assert story.current.status == "pending"
    assert [by.id for _, by, _ in story.current.commented] == [story.ann.id, story.bob.id]
    assert story.current.decisions == ()


def test_only_who_may_decide_comments(story: Story) -> None:
    refused = {
        story.outsider: NotAuthorised,
        story.requester: OwnRequest,
        replace(story.ann, program=True): PeopleOnly,
        story.namesake: NotFound,
    }
    for person, why in refused.items():
        assert isinstance(add(story, command(story, person)), why)


def test_comments_are_about_the_digest_of_a_version_that_waits(story: Story) -> None:
    said = command(story, story.ann)
    assert isinstance(add(story, replace(said, digest="another")), DigestMismatch)
    assert isinstance(add(story, replace(said, version=2)), NotFound)
    late = add_comments(story.operation, said, story.current.expires_at)
    assert isinstance(late, Expired)
    story.revise(story.ann)
    story.open()
    assert isinstance(add(story, said), Superseded)


def test_a_version_takes_a_bounded_number_of_comments_of_all_reviewers(story: Story) -> None:
    assert add(story, command(story, story.ann, count=MOST_ADDED - 1))
    assert isinstance(add(story, command(story, story.bob, count=2)), Invalid)
    assert add(story, command(story, story.bob))


def test_a_request_for_changes_carries_them_and_needs_no_other_words(story: Story) -> None:
    assert isinstance(story.revise(story.bob, comment=""), Invalid)
    add(story, command(story, story.ann))
    assert isinstance(story.revise(story.bob, comment="", comments="two"), tuple)
    first = story.operation.proposals[0]
    assert [said for said, _, _ in first.commented] == ["one", "two"]
    story.open()
    assert story.resolve(story.bob, 1)


def test_nobody_whose_comments_the_team_followed_approves_the_outcome_alone(story: Story) -> None:
    add(story, command(story, story.ann))
    story.revise(story.bob, comment="")
    story.open()
    assert story.current.correctors == (story.ann.id, story.bob.id)
    story.decide(story.ann)
    assert story.current.status == "pending"
    story.decide(story.cyd)
    assert story.current.status == "approved"


def test_a_correction_follows_nobodys_comments(story: Story) -> None:
    add(story, command(story, story.ann))
    story.revise(story.bob, correction="his own text")
    story.open(content="his own text")
    assert story.ann.id not in story.current.correctors


def test_they_are_resolved_once_changes_were_requested_and_not_before(story: Story) -> None:
    add(story, command(story, story.ann))
    assert isinstance(story.resolve(story.bob, 1), NotFound)
    story.decide(story.bob, "reject")
    assert isinstance(story.resolve(story.bob, 1), NotFound)


def test_where_no_team_answers_nobody_comments(buy: Buy) -> None:
    order = buy("400.00")
    refused = add(order, command(order, order.ann))
    assert isinstance(refused, Invalid)
    assert list(refused.fields) == ["comments"]
