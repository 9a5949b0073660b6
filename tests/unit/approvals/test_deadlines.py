"""Time alone: it never approves, it counts to the microsecond, and it escalates once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import Expired, NotFound
from countersign.approvals.events import Decision, ProposalExpired, ReminderDue
from countersign.approvals.person import SYSTEM
from countersign.approvals.standing import next_step, next_wake

if TYPE_CHECKING:
    from conftest import Begin, Story

ESCALATION = "Report.Escalation"


def test_a_decision_one_microsecond_before_the_deadline_counts(story: Story) -> None:
    story.now = story.current.expires_at - timedelta(microseconds=1)
    assert isinstance(story.decide(story.ann), tuple)
    assert story.current.status == "approved"


def test_a_decision_at_the_deadline_is_late_though_no_timer_fired(story: Story) -> None:
    story.now = story.current.expires_at
    assert story.decide(story.ann) == Expired(at=story.now, escalated_to=ESCALATION)
    assert story.current.status == "pending"


def test_a_late_decision_hears_the_same_before_and_after_the_expiry_was_noticed(
    story: Story,
) -> None:
    unnoticed = story.wait(1500).decide(story.ann)
    story.settle()
    assert story.decide(story.ann) == unnoticed
    story.open()
    assert story.decide(story.ann, version=1) == unnoticed


def test_a_decision_in_time_stands_however_late_it_is_noticed(story: Story) -> None:
    story.decide(story.ann)
    assert story.wait(1_000_000).settle() == ()
    assert story.current.status == "approved"


def test_nothing_expires_before_its_deadline(begin: Begin) -> None:
    story = begin(reminders=())
    story.open()
    story.now = story.current.expires_at - timedelta(microseconds=1)
    assert story.settle() == ()


def test_an_expiry_is_recorded_once_with_the_role_that_is_asked_next(story: Story) -> None:
    story.now = story.current.expires_at
    expired = ProposalExpired(at=story.now, actor=SYSTEM, version=1, escalated_to=ESCALATION)
    assert story.settle() == (expired,)
    assert story.settle() == ()
    assert next_step(story.operation, 1) == "escalate"


def test_an_escalated_version_has_the_same_content_its_own_window_and_the_other_role_too(
    story: Story,
) -> None:
    story.expire()
    story.wait(30).open()
    assert story.current.origin == "escalation"
    assert story.current.content == "draft"
    assert story.current.expires_at == story.now + timedelta(seconds=1000)
    assert story.current.asked_roles == (ESCALATION, "Report.Reviewer")
    assert isinstance(story.decide(story.eve), tuple)
    assert story.current.status == "approved"


def test_an_escalation_happens_once_and_then_it_is_over(story: Story) -> None:
    story.expire()
    story.open()
    story.expire()
    assert story.current.escalated_to is None
    assert next_step(story.operation, 2) == "close"
    assert story.decide(story.eve) == Expired(at=story.current.expires_at, escalated_to=None)


def test_a_revision_of_an_escalated_version_stays_with_the_escalation_role_and_is_the_last_resort(
    story: Story,
) -> None:
    story.expire()
    story.open()
    story.revise(story.eve)
    story.open(content="rewritten")
    assert story.current.required_role == ESCALATION
    story.expire()
    assert story.current.escalated_to is None


@pytest.mark.parametrize(
    "role",
    [
        # nobody to ask
        None,
        "",
        # asking those again who did not answer
        "Report.Reviewer",
    ],
)
def test_without_another_role_an_expiry_is_the_end(begin: Begin, role: str | None) -> None:
    story = begin(escalation_role=role)
    story.open()
    story.expire()
    assert next_step(story.operation, 1) == "close"
    assert isinstance(story.close(), tuple)
    assert story.operation.closed is not None
    assert story.operation.closed.outcome == "expired"


def test_reminders_are_due_once_each_at_their_share_of_the_window(story: Story) -> None:
    assert story.wait(499).settle() == ()
    half = ReminderDue(at=story.now + timedelta(seconds=1), actor=SYSTEM, version=1, percent=50)
    assert story.wait(1).settle() == (half,)
    assert story.settle() == ()
    assert story.wait(400).settle() != ()
    assert story.settle() == ()
    assert story.current.reminded == (50, 90)


def test_reminders_missed_by_a_sleeping_process_are_made_up_together(story: Story) -> None:
    answer = story.wait(950).settle()
    assert isinstance(answer, tuple)
    assert [event.percent for event in answer if isinstance(event, ReminderDue)] == [50, 90]


def test_an_expiry_makes_missed_reminders_pointless(story: Story) -> None:
    answer = story.wait(1000).settle()
    assert isinstance(answer, tuple)
    assert [type(event) for event in answer] == [ProposalExpired]


def test_the_next_look_is_at_the_next_reminder_and_finally_at_the_deadline(story: Story) -> None:
    opened = story.current.opened_at
    looks: list[float] = []
    while story.current.status == "pending":
        story.now = next_wake(story.operation, story.current)
        looks.append((story.now - opened).total_seconds())
        story.settle()
    assert looks == [500, 900, 1000]


def test_a_reminder_set_after_the_deadline_never_delays_the_look_at_the_deadline(
    begin: Begin,
) -> None:
    story = begin(reminders=(150,))
    story.open()
    assert next_wake(story.operation, story.current) == story.current.expires_at


@pytest.mark.parametrize("decision", ["approve", "reject", "revise"])
def test_nothing_expires_after_it_was_decided(story: Story, decision: Decision) -> None:
    story.decide(story.ann, decision, comment="so")
    assert story.wait(5000).settle() == ()


def test_nothing_expires_after_a_withdrawal_or_the_closing(story: Story) -> None:
    story.withdraw()
    assert story.wait(5000).settle() == ()
    story.close()
    assert story.settle() == ()


def test_a_pending_version_of_a_closed_operation_never_expires(story: Story) -> None:
    story.close("failed")
    assert story.wait(5000).settle() == ()


def test_settling_a_version_that_was_never_opened_finds_nothing(story: Story) -> None:
    assert story.settle(2) == NotFound()
