"""The write: reserved only for what was approved, announced before it is tried, confirmed once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import (
    AlreadyDecided,
    DigestMismatch,
    Invalid,
    NotAuthorised,
    NotFound,
)
from countersign.approvals.events import (
    Decision,
    OperationClosed,
    ReceiptRecorded,
    WriteClaimed,
    WriteFound,
    WriteRefused,
)
from countersign.approvals.outcome import Outcome
from countersign.approvals.person import SYSTEM
from countersign.approvals.standing import next_step
from countersign.approvals.writes import MOST_CLAIMS

if TYPE_CHECKING:
    from conftest import Begin, Story


@pytest.fixture
def approved(story: Story) -> Story:
    """An operation whose first version was approved."""
    story.decide(story.ann)
    assert next_step(story.operation, 1) == "publish"
    return story


def test_an_approved_digest_can_be_reserved_and_again_means_the_same(approved: Story) -> None:
    reserved = WriteClaimed(
        at=approved.now, actor=SYSTEM, version=1, digest="digest-1", attempt="a"
    )
    assert approved.reserve() == (reserved,)
    assert approved.wait(1).reserve() == ()


def test_a_version_that_does_not_exist_can_not_be_reserved(begin: Begin) -> None:
    assert begin().reserve(1) == NotFound()


def test_bytes_with_another_digest_can_not_be_reserved(approved: Story) -> None:
    assert approved.reserve(digest="tampered") == DigestMismatch(current="digest-1")
    approved.reserve()
    assert approved.reserve(digest="tampered") == DigestMismatch(current="digest-1")


@pytest.mark.parametrize("decision", [None, "reject", "revise"])
def test_without_an_approval_there_is_no_reservation(
    story: Story, decision: Decision | None
) -> None:
    if decision:
        story.decide(story.ann, decision, comment="so")
    assert story.reserve() == NotAuthorised(needs="an approval of this version")


def test_a_partial_quorum_is_no_approval(begin: Begin) -> None:
    story = begin(quorum=2)
    story.open()
    story.decide(story.ann)
    assert isinstance(story.reserve(), NotAuthorised)


def test_an_expiry_is_no_approval(story: Story) -> None:
    story.wait(5000)
    assert isinstance(story.reserve(), NotAuthorised)
    story.settle()
    assert isinstance(story.reserve(), NotAuthorised)


def test_an_earlier_version_can_not_be_reserved_before_or_after_the_approved_one(
    story: Story,
) -> None:
    story.revise(story.ann)
    story.open()
    story.decide(story.ann)
    assert isinstance(story.reserve(1), NotAuthorised)
    story.reserve(2)
    assert isinstance(story.reserve(1), NotAuthorised)


def test_after_a_withdrawal_there_is_no_reservation(approved: Story) -> None:
    approved.withdraw()
    assert approved.reserve() == AlreadyDecided(by="Rita", at=approved.now, decision="withdraw")


def test_after_a_failure_there_is_no_reservation(approved: Story) -> None:
    approved.close("failed")
    assert approved.reserve() == AlreadyDecided(
        by="Countersign", at=approved.now, decision="failed"
    )


def test_a_write_that_ended_as_unknown_is_not_tried_again(approved: Story) -> None:
    approved.reserve()
    approved.close("write_unknown")
    unknown = AlreadyDecided(by="Countersign", at=approved.now, decision="write_unknown")
    assert approved.reserve() == unknown


def test_a_publisher_that_repeats_itself_after_the_end_finds_its_reservation_and_receipt(
    approved: Story,
) -> None:
    approved.reserve()
    approved.receive()
    approved.close()
    assert approved.reserve() == ()
    assert approved.receive("elsewhere") == ()


def test_the_first_receipt_stands(approved: Story) -> None:
    approved.reserve()
    received = ReceiptRecorded(
        at=approved.now, actor=SYSTEM, version=1, receipt={"url": "blob://report"}
    )
    assert approved.receive() == (received,)
    assert approved.wait(1).receive("elsewhere") == ()
    assert approved.operation.written == received


def test_without_a_reservation_there_is_no_receipt(approved: Story) -> None:
    assert approved.receive() == NotAuthorised(needs="a reserved write")


def test_a_refused_write_is_no_reservation_any_more(approved: Story) -> None:
    approved.reserve()
    refused = WriteRefused(
        at=approved.now, actor=SYSTEM, version=1, reason="out of business", attempt="a"
    )
    assert approved.refuse() == (refused,)
    assert approved.operation.reservation is None
    assert approved.refuse() == ()


def test_after_a_refusal_it_can_be_reserved_again_by_a_publisher_that_was_restarted(
    approved: Story,
) -> None:
    approved.reserve()
    approved.refuse()
    assert approved.reserve() != ()
    assert approved.receive() != ()


def test_after_a_refusal_the_request_can_be_taken_back(approved: Story) -> None:
    approved.reserve()
    assert isinstance(approved.withdraw(), AlreadyDecided)
    approved.refuse()
    assert isinstance(approved.withdraw(), tuple)
    assert isinstance(approved.reserve(), AlreadyDecided)


def test_what_was_not_reserved_was_not_refused(approved: Story) -> None:
    assert approved.refuse() == ()


def test_a_refusal_after_the_receipt_changes_nothing(approved: Story) -> None:
    approved.reserve()
    approved.receive()
    stands = AlreadyDecided(by="Ann", at=approved.now, decision="approve")
    assert approved.wait(1).refuse() == stands
    approved.close()
    assert approved.refuse() == stands


@pytest.mark.parametrize("first", ["reserved", "refused"])
def test_a_refusal_after_the_closing_changes_nothing(approved: Story, first: str) -> None:
    approved.reserve()
    if first == "refused":
        approved.refuse()
    approved.close("failed" if first == "refused" else "write_unknown")
    answer = approved.refuse()
    assert isinstance(answer, AlreadyDecided)
    assert answer.by == "Countersign"


def test_a_refusal_counts_only_if_no_other_try_may_have_been_taken(approved: Story) -> None:
    approved.reserve(attempt="a")
    assert approved.reserve(attempt="b", again=True) != ()
    approved.refuse(attempt="a")
    assert approved.operation.reservation
    assert isinstance(approved.close("failed"), Invalid)
    approved.refuse(attempt="b")
    assert approved.operation.reservation is None
    assert approved.close("failed") != ()


def test_a_try_that_finds_another_one_is_recorded_as_soon_as_it_may_send_something(
    approved: Story,
) -> None:
    approved.reserve(attempt="a")
    assert approved.reserve(attempt="b") == ()
    assert approved.reserve(attempt="b", again=True) != ()
    assert approved.reserve(attempt="b", again=True) == ()
    assert [each.attempt for each in approved.operation.claims] == ["a", "b"]


def test_nobody_claims_a_write_that_is_confirmed(approved: Story) -> None:
    approved.reserve(attempt="a")
    approved.receive()
    assert approved.reserve(attempt="b", again=True) == ()


def test_an_outage_of_days_does_not_fill_the_ledger_and_no_refusal_counts_after_it(
    approved: Story,
) -> None:
    approved.reserve(attempt="try 0")
    for number in range(1, 3 * MOST_CLAIMS):
        approved.reserve(attempt=f"try {number}", again=True)
    assert len(approved.operation.claims) == MOST_CLAIMS
    assert approved.refuse(attempt="try 0") == ()
    assert approved.operation.reservation


@pytest.mark.parametrize("ending", ["failed", "write_unknown", "withdrawn"])
def test_a_receipt_is_recorded_whenever_it_comes_and_the_outcome_follows(
    approved: Story, ending: Outcome
) -> None:
    approved.reserve()
    if ending != "write_unknown":
        approved.refuse()
    if ending == "withdrawn":
        approved.withdraw()
    approved.close(ending)
    received = approved.wait(60).receive()
    assert isinstance(received, tuple)
    assert [type(each) for each in received] == [ReceiptRecorded, OperationClosed]
    closed = approved.operation.closed
    assert closed
    assert (closed.outcome, closed.at) == ("published", approved.now)
    assert closed.reason == f"The confirmation came after the operation had ended as {ending}."
    assert approved.receive("elsewhere") == ()


def test_people_hear_of_a_late_confirmation_after_they_heard_of_the_end(approved: Story) -> None:
    approved.reserve()
    approved.close("write_unknown")
    assert approved.due == "outcome"
    approved.reserve_notice("outcome")
    assert approved.due is None
    approved.receive()
    assert approved.due == "outcome:late"


def test_a_ledger_of_earlier_releases_names_no_tries_and_its_refusal_ends_them_all(
    approved: Story,
) -> None:
    claimed = WriteClaimed(at=approved.now, actor=SYSTEM, version=1, digest="digest-1")
    refused = WriteRefused(at=approved.now, actor=SYSTEM, version=1, reason="sold out")
    approved.happen((claimed,))
    assert approved.operation.reservation == claimed
    approved.happen((refused,))
    assert approved.operation.reservation is None


def test_a_refusal_of_a_try_that_nobody_knows_of_ends_nothing(approved: Story) -> None:
    approved.reserve(attempt="a")
    assert approved.refuse(attempt="b") == ()
    assert approved.operation.reservation


@pytest.mark.parametrize("happened", ["opened", "approved", "reserved"])
def test_what_is_found_at_the_destination_ends_what_is_open_as_a_write_to_be_looked_up(
    approved: Story, begin: Begin, happened: str
) -> None:
    story = begin() if happened == "opened" else approved
    if happened == "reserved":
        approved.reserve()
    found = story.find("It is there.")
    assert isinstance(found, tuple)
    assert [type(event) for event in found] == [WriteFound, OperationClosed]
    assert story.operation.closed
    assert (story.operation.closed.outcome, story.operation.closed.reason) == (
        "write_unknown",
        "It is there.",
    )


def test_what_is_found_for_an_operation_that_is_over_changes_nothing(approved: Story) -> None:
    approved.close("failed")
    assert isinstance(approved.find("It is there."), AlreadyDecided)
