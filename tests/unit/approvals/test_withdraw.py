"""The requester can take a request back until somebody's decision is being carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import AlreadyDecided, Expired, NotAuthorised, NotFound
from countersign.approvals.events import OperationWithdrawn
from countersign.approvals.standing import next_step

if TYPE_CHECKING:
    from conftest import Begin, Story


def test_a_withdrawal_names_its_requester_and_reason(story: Story) -> None:
    answer = story.withdraw(reason="no longer needed")
    assert answer == (
        OperationWithdrawn(at=story.now, actor=story.requester.actor, reason="no longer needed"),
    )
    assert story.current.status == "withdrawn"
    assert next_step(story.operation, 1) == "close"


def test_only_the_requester_can_withdraw(story: Story) -> None:
    for who in (story.ann, story.outsider):
        needed = NotAuthorised(needs="that you are the requester of this operation")
        assert story.withdraw(who) == needed


def test_another_tenants_namesake_of_the_requester_finds_nothing(story: Story) -> None:
    namesake = type(story.requester)(
        id=story.requester.id, name="Rita", tenant="fabrikam", roles=frozenset()
    )
    assert story.withdraw(namesake) == NotFound()


def test_withdrawing_again_is_the_same_again_even_after_the_closing(story: Story) -> None:
    story.withdraw()
    assert story.wait(1).withdraw(reason="really") == ()
    story.close()
    assert story.withdraw() == ()


def test_a_request_can_be_withdrawn_before_anything_is_offered(begin: Begin) -> None:
    story = begin()
    assert isinstance(story.withdraw(), tuple)
    story.close()
    assert story.operation.closed is not None
    assert story.operation.closed.outcome == "withdrawn"


def test_a_request_can_be_withdrawn_while_a_version_is_rewritten(story: Story) -> None:
    story.revise(story.ann)
    assert isinstance(story.withdraw(), tuple)
    assert story.current.status == "superseded"


def test_an_approved_request_can_be_withdrawn_until_the_write_is_reserved(story: Story) -> None:
    story.decide(story.ann)
    assert isinstance(story.withdraw(), tuple)
    assert story.current.status == "approved"
    assert next_step(story.operation, 1) == "close"


def test_a_reserved_write_can_not_be_withdrawn(story: Story) -> None:
    story.decide(story.ann)
    approved = AlreadyDecided(by="Ann", at=story.now, decision="approve")
    story.wait(1).reserve()
    assert story.withdraw() == approved
    story.receive()
    assert story.withdraw() == approved


def test_a_rejected_request_can_not_be_withdrawn(story: Story) -> None:
    story.decide(story.ann, "reject")
    assert story.withdraw() == AlreadyDecided(by="Ann", at=story.now, decision="reject")


def test_a_closed_operation_can_not_be_withdrawn(story: Story) -> None:
    story.close("failed")
    closed = AlreadyDecided(by="Countersign", at=story.now, decision="failed")
    assert story.withdraw() == closed


def test_an_expired_request_can_not_be_withdrawn_noticed_or_not(begin: Begin) -> None:
    story = begin(escalation_role=None)
    story.open()
    expired = Expired(at=story.current.expires_at, escalated_to=None)
    assert story.wait(1000).withdraw() == expired
    story.settle()
    assert story.withdraw() == expired


@pytest.mark.parametrize("noticed", [True, False])
def test_a_request_on_its_way_to_escalation_can_still_be_withdrawn(
    story: Story, noticed: bool
) -> None:
    story.wait(1000)
    if noticed:
        story.settle()
    assert isinstance(story.withdraw(), tuple)
    assert next_step(story.operation, 1) == "close"
