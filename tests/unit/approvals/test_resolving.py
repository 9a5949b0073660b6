"""Comments on passages belong to one decision; a person resolves each, and that decides nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import (
    AlreadyDecided,
    Invalid,
    NotAuthorised,
    NotFound,
    OwnRequest,
    PeopleOnly,
    Refusal,
)
from countersign.approvals.events import CommentResolved
from countersign.approvals.permissions import may_resolve

if TYPE_CHECKING:
    from conftest import Story


@pytest.fixture
def commented(story: Story) -> Story:
    """A version that Ann sent back with comments, and the one that answers them."""
    story.revise(story.ann, comment="", comments="sha256-of-the-comments")
    story.open()
    return story


def test_comments_alone_say_what_to_change(commented: Story) -> None:
    first, second = commented.operation.proposals
    assert (first.status, first.comments) == ("superseded", "sha256-of-the-comments")
    assert second.comments is None


def test_other_comments_are_not_the_same_decision_again(story: Story) -> None:
    story.revise(story.ann, comments="one")
    assert story.decide(story.ann, "revise", version=1, comment="shorter", comments="one") == ()
    again = story.decide(story.ann, "revise", version=1, comment="shorter", comments="another")
    assert isinstance(again, Refusal)


def test_only_a_request_for_changes_to_the_team_has_comments(story: Story) -> None:
    for decision in ("approve", "reject"):
        refused = story.decide(story.ann, decision, comments="one")
        assert isinstance(refused, Invalid)
        assert list(refused.fields) == ["comments"]
    assert isinstance(story.revise(story.ann, correction="mine", comments="one"), Invalid)


def test_a_comment_is_resolved_once(commented: Story) -> None:
    resolved = commented.resolve(commented.bob, 2)
    assert resolved == (
        CommentResolved(at=commented.now, actor=commented.bob.actor, version=1, comment=2),
    )
    assert list(commented.operation.proposals[0].resolved) == [2]
    assert commented.resolve(commented.ann, 2) == ()
    assert commented.current.status == "pending"


def test_resolving_is_for_those_who_can_be_asked_to_decide(commented: Story) -> None:
    assert isinstance(commented.resolve(commented.outsider), NotAuthorised)
    assert isinstance(commented.resolve(commented.requester), OwnRequest)
    assert isinstance(commented.resolve(replace(commented.ann, program=True)), PeopleOnly)
    assert isinstance(commented.resolve(commented.namesake), NotFound)
    assert commented.resolve(commented.eve)


def test_there_is_nothing_to_resolve_without_comments_or_after_the_end(commented: Story) -> None:
    assert isinstance(commented.resolve(commented.ann, version=2), NotFound)
    assert isinstance(commented.resolve(commented.ann, version=3), NotFound)
    commented.decide(commented.ann, "reject")
    commented.close()
    assert isinstance(commented.resolve(commented.ann), AlreadyDecided)
    refusal = may_resolve(commented.operation, commented.ann, 1, 1, commented.now)
    assert isinstance(refusal, AlreadyDecided)
