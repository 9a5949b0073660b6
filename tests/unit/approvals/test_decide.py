"""Who can decide, what a decision does, and the truthful answer to each one that can't count."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import (
    AlreadyDecided,
    DigestMismatch,
    Expired,
    Invalid,
    NotAuthorised,
    NotFound,
    OwnRequest,
    PeopleOnly,
    Superseded,
)
from countersign.approvals.events import (
    Decision,
    DecisionRecorded,
    ProposalApproved,
    ProposalRejected,
    ProposalSuperseded,
)
from countersign.approvals.person import Person
from countersign.approvals.rules import Ruling

if TYPE_CHECKING:
    from conftest import Begin, Story


def test_a_program_decides_nothing_whatever_its_roles_are(story: Story) -> None:
    program = replace(story.ann, program=True)
    for decision in ("approve", "reject", "revise"):
        assert story.decide(program, decision, comment="computed") == PeopleOnly()
    assert story.decide(replace(story.requester, program=True)) == PeopleOnly()


@pytest.mark.parametrize(
    ("decision", "outcome", "status"),
    [
        ("approve", ProposalApproved, "approved"),
        ("reject", ProposalRejected, "rejected"),
        ("revise", ProposalSuperseded, "superseded"),
    ],
)
def test_a_decision_is_recorded_together_with_the_outcome_it_causes(
    story: Story, decision: Decision, outcome: type, status: str
) -> None:
    story.wait(7)
    answer = story.decide(story.ann, decision, comment="as discussed")
    recorded = DecisionRecorded(
        at=story.now,
        actor=story.ann.actor,
        version=1,
        digest="digest-1",
        decision=decision,
        comment="as discussed",
        roles=("Report.Reviewer",),
    )
    assert answer == (recorded, outcome(at=story.now, actor=story.ann.actor, version=1))
    assert story.current.status == status


def test_a_recorded_decision_knows_its_place_in_the_ledger(story: Story) -> None:
    story.decide(story.ann)
    mine = story.current.decided_by(story.ann.id)
    assert mine is not None
    sequence, event = mine
    assert story.events[sequence - 1] == event
    assert story.current.decided_by(story.bob.id) is None


@pytest.mark.parametrize("version", [-1, 0, 2, 11])
def test_a_version_that_was_never_opened_is_not_found(story: Story, version: int) -> None:
    assert story.decide(story.ann, version=version) == NotFound()


def test_another_tenants_person_finds_nothing_whatever_their_roles_and_id(story: Story) -> None:
    assert story.namesake.id == story.ann.id
    assert story.decide(story.namesake) == NotFound()


def test_a_person_without_the_role_is_told_which_one_is_needed(story: Story) -> None:
    for who in (story.outsider, story.eve):
        assert story.decide(who) == NotAuthorised(needs="the role Report.Reviewer")


@pytest.mark.parametrize("decision", ["approve", "reject", "revise"])
def test_the_requester_decides_nothing_about_their_own_request(
    story: Story, decision: Decision
) -> None:
    assert story.decide(story.requester, decision, comment="mine") == OwnRequest()


def test_the_requester_decides_nothing_after_an_escalation_either(story: Story) -> None:
    story.expire()
    story.open()
    assert story.decide(story.requester) == OwnRequest()


def test_a_decision_for_another_digest_is_told_the_right_one(story: Story) -> None:
    assert story.decide(story.ann, digest="0" * 64) == DigestMismatch(current="digest-1")


def test_only_a_revision_can_carry_a_correction(story: Story) -> None:
    for decision in ("approve", "reject"):
        answer = story.decide(story.ann, decision, correction="edited")
        assert isinstance(answer, Invalid)
        assert list(answer.fields) == ["correction"]


@pytest.mark.parametrize("comment", ["", "  \n"])
def test_a_revision_has_to_say_what_to_change(story: Story, comment: str) -> None:
    answer = story.decide(story.ann, "revise", comment=comment)
    assert isinstance(answer, Invalid)
    assert list(answer.fields) == ["comment"]


def test_a_corrected_text_says_what_to_change_without_a_comment(story: Story) -> None:
    assert isinstance(story.decide(story.ann, "revise", correction="edited"), tuple)


@pytest.mark.parametrize("decision", ["approve", "reject", "revise"])
def test_the_same_again_records_nothing_and_is_no_refusal(story: Story, decision: Decision) -> None:
    story.decide(story.ann, decision, comment="first")
    assert story.decide(story.ann, decision, comment="first") == ()


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_another_comment_does_not_make_it_another_decision(
    story: Story, decision: Decision
) -> None:
    story.decide(story.ann, decision, comment="first")
    assert story.decide(story.ann, decision, comment="second") == ()


@pytest.mark.parametrize(
    ("comment", "correction"),
    [
        # another wish
        ("longer", None),
        # the same words with a text that was not there before
        ("shorter", "edited"),
    ],
)
def test_another_wish_is_another_decision(
    story: Story, comment: str, correction: str | None
) -> None:
    story.revise(story.ann, "shorter")
    first = AlreadyDecided(by="Ann", at=story.now, decision="revise")
    assert story.wait(1).revise(story.ann, comment, correction) == first


def test_an_approval_repeated_with_a_correction_is_not_the_same_again(begin: Begin) -> None:
    story = begin(quorum=2)
    story.open()
    story.decide(story.ann)
    assert isinstance(story.decide(story.ann, correction="edited"), Invalid)


def test_an_approval_repeated_for_another_digest_is_not_the_same_again(begin: Begin) -> None:
    story = begin(quorum=2)
    story.open()
    story.decide(story.ann)
    assert story.decide(story.ann, digest="stale") == DigestMismatch(current="digest-1")


def test_the_same_again_is_recognised_whatever_happened_since(begin: Begin) -> None:
    story = begin(quorum=2)
    story.open()
    story.decide(story.ann)
    story.revise(story.bob)
    story.open()
    story.withdraw()
    story.close()
    assert story.wait(10_000).decide(story.ann, version=1) == ()


@pytest.mark.parametrize("first", ["approve", "reject", "revise"])
@pytest.mark.parametrize("second", ["approve", "reject", "revise"])
def test_the_first_outcome_stands_and_names_who_when_and_what(
    story: Story, first: Decision, second: Decision
) -> None:
    story.decide(story.ann, first, comment="first")
    stands = AlreadyDecided(by="Ann", at=story.now, decision=first)
    assert story.wait(1).decide(story.bob, second, comment="second") == stands


def test_a_decision_about_a_superseded_version_is_sent_to_the_newest_one(story: Story) -> None:
    for _ in range(2):
        story.revise(story.ann)
        story.open()
    assert story.decide(story.bob, version=1) == Superseded(current=3)
    assert story.decide(story.bob, version=2) == Superseded(current=3)


def test_a_revision_stands_while_its_next_version_is_being_written(story: Story) -> None:
    story.revise(story.ann)
    assert story.decide(story.bob) == AlreadyDecided(by="Ann", at=story.now, decision="revise")


@pytest.mark.parametrize("comment", ["", " "])
def test_a_rejection_needs_a_reason(story: Story, comment: str) -> None:
    refused = Invalid(fields={"comment": "a rejection needs a reason: say why you reject this"})
    assert story.decide(story.ann, "reject", comment=comment) == refused
    assert story.current.status == "pending"


def test_a_decision_after_a_withdrawal_is_told_of_the_withdrawal(story: Story) -> None:
    story.withdraw()
    withdrawn = AlreadyDecided(by="Rita", at=story.now, decision="withdraw")
    assert story.wait(5000).decide(story.ann) == withdrawn


def test_a_decision_after_the_closing_is_told_how_it_ended_not_that_it_was_late(
    story: Story,
) -> None:
    story.close("failed")
    closed = AlreadyDecided(by="Countersign", at=story.now, decision="failed")
    assert story.wait(5000).decide(story.ann) == closed


def test_refusals_come_in_one_order(story: Story) -> None:
    """Existence, the person, the same again, what stands, the digest, the command's own sense."""

    def senselessly(who: Person, version: int = 1, digest: str = "wrong") -> Ruling:
        return story.decide(who, version=version, digest=digest, correction="edited")

    assert senselessly(story.outsider, version=9) == NotFound()
    assert isinstance(senselessly(story.outsider), NotAuthorised)
    assert senselessly(story.requester) == OwnRequest()
    assert senselessly(story.ann) == DigestMismatch(current="digest-1")
    assert isinstance(senselessly(story.ann, digest="digest-1"), Invalid)
    story.wait(1000)
    assert isinstance(senselessly(story.ann), Expired)
    assert isinstance(senselessly(story.outsider), NotAuthorised)


def test_a_refusal_changes_nothing(story: Story) -> None:
    before = story.operation
    story.decide(story.outsider)
    story.decide(story.requester)
    story.decide(story.ann, digest="wrong")
    story.wait(timedelta(days=2).total_seconds()).decide(story.ann)
    assert story.operation == before
