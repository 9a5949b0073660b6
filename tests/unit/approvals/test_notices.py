"""What people hear of an operation: the newest news, once, and never what is settled by now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import Invalid, NotAuthorised
from countersign.approvals.events import NoticeClaimed, NoticeInDoubt, NoticeSent
from countersign.approvals.outcome import Outcome
from countersign.approvals.person import SYSTEM
from countersign.approvals.standing import due_notice

if TYPE_CHECKING:
    from conftest import Begin, Story

REVIEWER, ESCALATION = "Report.Reviewer", "Report.Escalation"


def test_nobody_hears_of_an_operation_before_anything_is_to_be_decided(begin: Begin) -> None:
    story = begin()
    assert story.due is None
    story.close("failed")
    assert story.due is None


def test_a_new_version_is_news_for_those_who_decide_it(story: Story) -> None:
    notice = due_notice(story.operation, story.now)
    assert notice is not None
    assert (notice.key, notice.version, notice.roles) == ("opened:1", 1, (REVIEWER,))


def test_a_notice_is_reserved_once(story: Story) -> None:
    reserved = NoticeClaimed(at=story.now, actor=SYSTEM, notice="opened:1")
    assert story.reserve_notice("opened:1") == (reserved,)
    assert story.due is None
    assert story.wait(1).reserve_notice("opened:1") == ()


@pytest.mark.parametrize("notice", ["opened:2", "reminder:1:50", "outcome", "", "opened:1:50"])
def test_what_is_not_due_can_not_be_reserved(story: Story, notice: str) -> None:
    assert story.reserve_notice(notice) == Invalid(fields={"notice": f"{notice} is not due"})


def test_each_reminder_is_news(story: Story) -> None:
    story.reserve_notice("opened:1")
    story.wait(500).settle()
    assert story.due == "reminder:1:50"
    story.reserve_notice("reminder:1:50")
    story.wait(400).settle()
    assert story.due == "reminder:1:90"
    story.reserve_notice("reminder:1:90")
    assert story.due is None


def test_of_all_that_a_sleeping_process_missed_only_the_newest_is_news(story: Story) -> None:
    story.wait(950).settle()
    assert story.due == "reminder:1:90"
    story.reserve_notice("reminder:1:90")
    assert story.due is None


def test_nobody_is_asked_to_decide_after_the_deadline_noticed_or_not(story: Story) -> None:
    assert story.wait(1000).due is None
    story.settle()
    assert story.due is None


@pytest.mark.parametrize(
    "settle",
    [
        lambda story: story.decide(story.ann),
        lambda story: story.decide(story.ann, "reject"),
        lambda story: story.revise(story.ann),
        lambda story: story.withdraw(),
    ],
    ids=["approved", "rejected", "sent back", "withdrawn"],
)
def test_nobody_is_asked_to_decide_what_is_settled(
    story: Story, settle: Callable[[Story], object]
) -> None:
    settle(story)
    assert story.due is None
    assert isinstance(story.reserve_notice("opened:1"), Invalid)


def test_the_next_version_is_news_of_its_own(story: Story) -> None:
    story.reserve_notice("opened:1")
    story.revise(story.ann)
    story.open(content="shorter")
    assert story.due == "opened:2"


def test_an_escalation_is_news_for_the_added_role_and_the_one_before(story: Story) -> None:
    story.expire()
    story.open()
    notice = due_notice(story.operation, story.now)
    assert notice is not None
    assert (notice.key, notice.roles) == ("opened:2", (ESCALATION, "Report.Reviewer"))


def test_the_end_is_news_once_for_everybody_who_was_asked(story: Story) -> None:
    story.expire()
    story.open()
    story.expire()
    story.close()
    notice = due_notice(story.operation, story.now)
    assert notice is not None
    assert (notice.key, notice.roles) == ("outcome", (REVIEWER, ESCALATION))
    story.reserve_notice("outcome")
    assert story.due is None


@pytest.mark.parametrize("outcome", ["published", "failed"])
def test_news_of_the_end_waits_for_the_end(story: Story, outcome: Outcome) -> None:
    story.decide(story.ann)
    assert story.due is None
    if outcome == "published":
        story.reserve()
        story.receive()
        assert story.due is None
    story.close(outcome)
    assert story.due == "outcome"


def test_a_result_says_who_took_it_and_why_others_did_not(story: Story) -> None:
    story.reserve_notice("opened:1")
    sent = NoticeSent(
        at=story.now, actor=SYSTEM, notice="opened:1", taken=("mailto 1",), failed={"slack": "no"}
    )
    assert story.record_notice("opened:1", "mailto 1", slack="no") == (sent,)
    assert story.record_notice("opened:1", "mailto 1") == ()
    assert story.operation.notices == {"opened:1": sent}


def test_what_was_not_reserved_was_not_sent(story: Story) -> None:
    assert story.record_notice("opened:1") == NotAuthorised(needs="a reserved notice")


def test_a_reservation_without_a_result_is_in_doubt_and_not_sent_again(story: Story) -> None:
    story.reserve_notice("opened:1")
    doubt = NoticeInDoubt(at=story.now, actor=SYSTEM, notice="opened:1")
    assert story.doubt_notices() == (doubt,)
    assert story.doubt_notices() == ()
    assert story.due is None
    assert story.reserve_notice("opened:1") == ()


def test_a_sender_that_was_only_slow_ends_the_doubt(story: Story) -> None:
    story.reserve_notice("opened:1")
    story.doubt_notices()
    assert story.record_notice("opened:1", "mailto 1") != ()
    assert story.doubt_notices() == ()
