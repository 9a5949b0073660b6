"""Where an approval takes a passkey's signature, none without it is recorded, and none counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from countersign.approvals import rules
from countersign.approvals.errors import (
    AlreadyDecided,
    Invalid,
    NotAuthorised,
    PasskeyRefused,
    PasskeyRequired,
)
from countersign.approvals.events import Decision, DecisionRecorded
from countersign.approvals.folding import evolve
from countersign.approvals.passkey import PasskeySignature
from countersign.approvals.permissions import permissions
from countersign.approvals.person import Person
from countersign.approvals.quorum import missing_role
from countersign.approvals.rules import Ruling

REVIEWER, ESCALATION = "Report.Reviewer", "Report.Escalation"


def sign(
    story: Any, who: Person, decision: Decision = "approve", *, after: int | None = None
) -> Ruling:
    """Decide about the newest version with a signature that is made now, or was after a row."""
    version = len(story.operation.proposals)
    row = story.operation.sequence if after is None else after
    command = rules.Decide(
        reviewer=who,
        version=version,
        digest=f"digest-{version}",
        decision=decision,
        comment="because",
        passkey=PasskeySignature(after=row, text="signed"),
    )
    return story.happen(rules.decide(story.operation, command, story.now))


@pytest.fixture
def signed_story(begin: Callable[..., Any]) -> Any:
    """A version that takes two reviewers who sign."""
    story = begin(passkey_roles=(REVIEWER,), quorum=2)
    story.open()
    return story


def test_an_approval_takes_the_signature_and_other_decisions_take_none(signed_story: Any) -> None:
    assert signed_story.decide(signed_story.ann) == PasskeyRequired()
    assert isinstance(sign(signed_story, signed_story.ann), tuple)
    assert signed_story.current.approvers == {"id-Ann"}
    assert isinstance(sign(signed_story, signed_story.bob, "reject"), Invalid)
    assert isinstance(signed_story.decide(signed_story.bob, "reject"), tuple)
    assert signed_story.current.status == "rejected"


def test_the_signature_gives_no_right_that_the_person_lacks(signed_story: Any) -> None:
    assert isinstance(sign(signed_story, signed_story.outsider), NotAuthorised)
    sign(signed_story, signed_story.ann)
    assert sign(signed_story, signed_story.ann) == ()
    sign(signed_story, signed_story.bob)
    assert signed_story.current.status == "approved"
    assert isinstance(sign(signed_story, signed_story.cyd), AlreadyDecided)


def test_what_was_signed_before_an_approval_was_taken_back_is_over(signed_story: Any) -> None:
    before = signed_story.operation.sequence
    sign(signed_story, signed_story.ann)
    approved = signed_story.operation.sequence
    signed_story.take_back(signed_story.ann)
    for after in (before, approved):
        assert isinstance(sign(signed_story, signed_story.ann, after=after), PasskeyRefused)
    assert isinstance(sign(signed_story, signed_story.ann), tuple)
    # What others do meanwhile takes nothing from a signature.
    assert isinstance(sign(signed_story, signed_story.bob, after=before), tuple)
    assert signed_story.current.status == "approved"


def test_an_approval_without_it_counts_for_nothing_even_if_it_is_recorded(
    signed_story: Any,
) -> None:
    sign(signed_story, signed_story.ann)
    unsigned = DecisionRecorded(
        at=signed_story.now,
        actor=signed_story.bob.actor,
        version=1,
        digest="digest-1",
        decision="approve",
    )
    for roles in ((), (REVIEWER,)):
        operation = evolve(signed_story.operation, replace(unsigned, roles=roles))
        [proposal] = operation.proposals
        assert proposal.approvers == {"id-Ann"}
        assert missing_role(proposal, proposal.approvals) == REVIEWER


def test_a_role_that_takes_none_takes_none(begin: Callable[..., Any]) -> None:
    story = begin(passkey_roles=(ESCALATION,))
    story.open()
    assert not story.current.needs_passkey({REVIEWER})
    story.expire()
    story.open()
    # The people of both roles may approve the escalated version, and one of them signs.
    assert story.decide(story.eve) == PasskeyRequired()
    both = replace(story.ann, roles=frozenset({REVIEWER, ESCALATION}))
    assert story.decide(both) == PasskeyRequired()
    assert isinstance(story.decide(story.ann), tuple)


def test_signed_approvals_of_an_expired_version_are_kept(begin: Callable[..., Any]) -> None:
    story = begin(passkey_roles=(REVIEWER, ESCALATION), quorum=2)
    story.open()
    sign(story, story.ann)
    story.expire()
    story.open()
    assert story.current.approvers == {"id-Ann"}
    assert story.decide(story.eve) == PasskeyRequired()
    sign(story, story.eve)
    assert story.current.status == "approved"


@pytest.mark.parametrize(
    ("amounts", "takes"),
    [
        (("100",), False),
        (("100.01",), True),
        # Whoever makes an order smaller signs as for the larger one.
        (("200", "50"), True),
        (("50", "200"), True),
        (("200", "50", "20"), True),
    ],
)
def test_the_largest_amount_of_any_version_decides(
    buy: Callable[..., Any], amounts: tuple[str, ...], takes: bool
) -> None:
    first, *others = amounts
    purchase = buy(first, passkey_above="100")
    for amount in others:
        purchase.correct(purchase.ann, amount, widens=True)
    assert purchase.current.needs_passkey(purchase.bob.roles) is takes
    answer = purchase.decide(purchase.bob)
    assert (answer == PasskeyRequired()) is takes


def test_what_has_no_amount_is_never_above_one(begin: Callable[..., Any]) -> None:
    story = begin()
    story.open()
    assert story.operation.policy.signed_roles((REVIEWER,), None) == frozenset()


def test_who_can_sign_may_approve(signed_story: Any) -> None:
    may = permissions(
        signed_story.operation, signed_story.current, signed_story.ann, signed_story.now
    )
    assert may.approve is None
    assert may.reject is None
