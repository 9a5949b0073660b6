"""Whoever has approved may think better of it, until the version is decided; both are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import (
    AlreadyDecided,
    Expired,
    ImpossibleHistory,
    NotFound,
    PeopleOnly,
)
from countersign.approvals.events import (
    ApprovalTakenBack,
    Decision,
    DecisionRecorded,
    ProposalRejected,
    ProposalSuperseded,
)
from countersign.approvals.folding import evolve
from countersign.approvals.rules import NOT_APPROVED
from countersign.approvals.standing import due_notice

if TYPE_CHECKING:
    from conftest import Begin, Buy, Story


@pytest.fixture
def pair(begin: Begin) -> Story:
    """An operation whose first version waits for two approvals and has Ann's."""
    opened = begin(quorum=2)
    opened.open()
    opened.decide(opened.ann)
    return opened


def test_an_approval_that_is_taken_back_counts_no_more_and_is_kept(pair: Story) -> None:
    sequence, approval = pair.current.decisions[0]
    pair.wait(1)
    taken = ApprovalTakenBack(at=pair.now, actor=pair.ann.actor, version=1, approval=sequence)
    assert pair.take_back(pair.ann) == (taken,)
    assert pair.current.approvals == {}
    assert pair.current.decisions == ((sequence, approval),)
    assert pair.current.taken_back == {sequence: taken}
    pair.decide(pair.bob)
    assert pair.current.status == "pending"


def test_whoever_took_an_approval_back_may_approve_again(pair: Story) -> None:
    pair.take_back(pair.ann)
    assert isinstance(pair.decide(pair.ann), tuple)
    pair.decide(pair.bob)
    assert pair.current.status == "approved"
    assert len(pair.current.decisions) == 3


def test_taking_back_twice_is_taking_back_once(pair: Story) -> None:
    pair.take_back(pair.ann)
    assert pair.take_back(pair.ann) == ()


@pytest.mark.parametrize(
    ("decision", "end"), [("reject", ProposalRejected), ("revise", ProposalSuperseded)]
)
def test_an_approval_turns_into_another_decision(
    pair: Story, decision: Decision, end: type
) -> None:
    answer = pair.decide(pair.ann, decision, comment="on second thought")
    assert isinstance(answer, tuple)
    assert [type(event) for event in answer] == [ApprovalTakenBack, DecisionRecorded, end]
    assert [each.decision for _, each in pair.current.decisions] == ["approve", decision]
    assert pair.current.approvals == {}


def test_an_approval_turns_into_a_correction(buy: Buy) -> None:
    order = buy("1000.01")
    order.decide(order.ann)
    order.correct(order.ann, "2000.00", widens=True)
    assert order.current.correctors == (order.ann.id,)
    assert order.current.approvals == {}


def test_it_takes_no_role_to_take_back(pair: Story) -> None:
    dismissed = replace(pair.ann, roles=frozenset())
    assert isinstance(pair.take_back(dismissed), tuple)


@pytest.mark.parametrize("who", ["bob", "requester", "outsider"])
def test_nobody_takes_back_what_they_did_not_approve(pair: Story, who: str) -> None:
    assert pair.take_back(getattr(pair, who)) == NOT_APPROVED


def test_a_program_and_another_tenant_take_nothing_back(pair: Story) -> None:
    assert pair.take_back(replace(pair.ann, program=True)) == PeopleOnly()
    assert pair.take_back(replace(pair.ann, tenant="fabrikam")) == NotFound()
    assert pair.take_back(pair.ann, version=2) == NotFound()


def test_what_is_decided_is_not_taken_back(pair: Story) -> None:
    pair.decide(pair.bob)
    stands = AlreadyDecided(by="Bob", at=pair.now, decision="approve")
    assert pair.take_back(pair.ann) == stands
    assert pair.decide(pair.ann, "reject") == stands


def test_after_the_deadline_nothing_is_taken_back(pair: Story) -> None:
    pair.wait(1000)
    answer: object = pair.take_back(pair.ann)
    assert answer == Expired(at=pair.now, escalated_to="Report.Escalation")


def test_a_withdrawal_comes_first(pair: Story) -> None:
    pair.withdraw()
    answer = pair.take_back(pair.ann)
    assert answer == AlreadyDecided(by="Rita", at=pair.now, decision="withdraw")


def test_after_a_countersigner_was_asked_approvers_are_asked_again(buy: Buy) -> None:
    order = buy("50000.01")
    order.decide(order.ann)
    order.decide(order.bob)
    order.take_back(order.bob)
    notice = due_notice(order.operation, order.now)
    assert notice is not None
    assert notice.key == "opened:1"


def test_a_history_in_which_nobody_approved_what_is_taken_back_is_impossible(pair: Story) -> None:
    forged = ApprovalTakenBack(at=pair.now, actor=pair.ann.actor, version=1, approval=1)
    with pytest.raises(ImpossibleHistory, match="takes row 1 back"):
        evolve(pair.operation, forged)
