"""An operator ends what nobody approved, by a command of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import AlreadyDecided, NotAuthorised, NotFound
from countersign.approvals.events import OperationClosed, OperationStopped
from countersign.approvals.permissions import may_stop
from countersign.approvals.standing import implied_ending, next_step
from countersign.operations.summary import state_of

if TYPE_CHECKING:
    from conftest import Begin, Story


def test_an_operator_stops_what_waits_and_the_reason_is_that_of_the_end(story: Story) -> None:
    stopped = story.stop("The supplier is bankrupt.")
    assert stopped == (
        OperationStopped(
            at=story.now, actor=story.operator.actor, reason="The supplier is bankrupt."
        ),
    )
    assert next_step(story.operation, 1) == "close"
    assert (story.current.status, state_of(story.operation)) == ("stopped", "stopped")
    story.close("failed")
    closed = story.operation.closed
    assert isinstance(closed, OperationClosed)
    assert (closed.outcome, closed.reason) == ("stopped", "The supplier is bankrupt.")
    assert story.due == "outcome"


def test_work_before_the_first_version_can_be_stopped_too(begin: Begin) -> None:
    story = begin()
    story.plan("moon")
    story.stop()
    assert implied_ending(story.operation) == "stopped"
    assert story.work("research:0:0") == AlreadyDecided(by="Olga", at=story.now, decision="stop")
    assert isinstance(story.open(), AlreadyDecided)


def test_what_was_approved_is_not_stopped_any_more(story: Story) -> None:
    story.decide(story.ann)
    assert story.stop() == AlreadyDecided(by="Ann", at=story.now, decision="approve")
    story.reserve()
    assert isinstance(story.stop(), AlreadyDecided)


def test_a_part_of_a_quorum_is_no_approval_yet(begin: Begin) -> None:
    story = begin(quorum=2)
    story.open()
    story.decide(story.ann)
    assert story.stop() != ()
    assert story.decide(story.bob) == AlreadyDecided(by="Olga", at=story.now, decision="stop")


@pytest.mark.parametrize("after", ["reject", "withdraw", "close", "stop"])
def test_what_ended_otherwise_is_not_stopped(story: Story, after: str) -> None:
    if after == "reject":
        story.decide(story.ann, "reject")
    elif after == "withdraw":
        story.withdraw()
    elif after == "close":
        story.close("failed")
    else:
        story.stop()
    assert story.stop() == () if after == "stop" else isinstance(story.stop(), AlreadyDecided)
    assert may_stop(story.operation, story.operator, story.now)


def test_nobody_else_stops_an_operation(story: Story) -> None:
    for who in (story.requester, story.ann, story.outsider):
        assert story.stop(who=who) == NotAuthorised(needs="the role Operator")
    assert may_stop(story.operation, story.operator, story.now) is None


def test_an_operator_of_another_tenant_finds_nothing(story: Story) -> None:
    assert story.stop(who=story.foreign_operator) == NotFound()


def test_nobody_is_reminded_of_what_was_stopped(story: Story) -> None:
    story.stop()
    story.wait(600)
    assert story.settle() == ()
    assert story.withdraw() == AlreadyDecided(
        by="Olga", at=story.operation.updated_at, decision="stop"
    )
