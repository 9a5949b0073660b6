"""Work that fails waits, is tried further and further apart, and goes on when somebody asks."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import AlreadyDecided, Invalid, NotAuthorised, NotFound
from countersign.approvals.events import RetryRequested, WorkHeld, WorkResumed
from countersign.approvals.hold import EARLY, Passing
from countersign.approvals.holding import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    SOON,
    SOON_TRIES,
    record_hold,
)
from countersign.approvals.person import SYSTEM
from countersign.operations.summary import state_of, summarise
from countersign.stores.index import moves_by_itself_from, overdue_from

if TYPE_CHECKING:
    from conftest import Begin, Story

SECOND = timedelta(seconds=1)


@pytest.fixture
def working(begin: Begin) -> Story:
    """An operation that is being planned."""
    return begin()


def go_to_the_next_try(story: Story) -> None:
    assert story.held.next_try is not None
    story.now = story.held.next_try


def test_a_fault_of_an_operators_is_a_state_of_its_own_at_once(working: Story) -> None:
    assert state_of(working.operation) == "running"
    working.hold("later", step="research:0:1")
    hold = working.held
    assert state_of(working.operation) == "needs_operator"
    assert (hold.step, hold.cause, hold.reason) == (
        "research:0:1",
        "model_access_refused",
        "No access.",
    )
    assert (hold.since, hold.tries, hold.next_try) == (working.now, 1, working.now + FIRST_PAUSE)
    shown = summarise(working.operation)
    assert (shown.cause, shown.next_try) == (hold.cause, hold.next_try)


def test_what_passes_by_itself_is_seen_from_the_first_try_and_needs_an_operator_later(
    working: Story,
) -> None:
    began = working.now
    for tries in range(1, SOON_TRIES):
        working.hold("soon")
        assert (working.held.tries, working.held.needs_operator) == (tries, False)
        assert working.held.next_try == working.now + SOON
        assert state_of(working.operation) == "running"
        working.wait(SOON.total_seconds())
    working.hold("soon")
    assert state_of(working.operation) == "needs_operator"
    assert (working.held.since, working.held.tries) == (began, SOON_TRIES)
    assert working.held.next_try == working.now + FIRST_PAUSE


def test_the_pauses_double_up_to_an_hour(working: Story) -> None:
    pauses: list[timedelta] = []
    for _ in range(7):
        working.hold("later")
        assert working.held.pause is not None
        pauses.append(working.held.pause)
        go_to_the_next_try(working)
    doubled = [FIRST_PAUSE * 2**number for number in range(4)]
    assert pauses == [*doubled, *[LONGEST_PAUSE] * 3]


def test_what_costs_money_each_time_is_tried_again_only_if_somebody_asks(working: Story) -> None:
    working.hold("never")
    assert working.held.next_try is None
    working.wait(10 * 86_400)
    assert not working.held.is_due(working.now)
    assert overdue_from(summarise(working.operation)) is None
    working.retry()
    assert working.held.is_due(working.now)
    assert overdue_from(summarise(working.operation)) == working.now


def test_it_moves_by_itself_from_its_next_try_on(working: Story) -> None:
    working.hold("later")
    assert moves_by_itself_from(summarise(working.operation)) == working.now + FIRST_PAUSE


def test_a_try_a_moment_early_is_in_time(working: Story) -> None:
    working.hold("later")
    assert working.held.next_try is not None
    assert not working.held.is_due(working.held.next_try - EARLY - SECOND)
    assert working.held.is_due(working.held.next_try - EARLY)


def test_steps_side_by_side_that_fail_together_are_one_try(working: Story) -> None:
    working.hold("later", step="research:0:0")
    assert working.wait(3).hold("later", step="research:0:1", began=4) == ()
    # One that took very long, too
    assert working.wait(86_400).hold("later", step="research:0:2", began=86_404) == ()
    assert (working.held.tries, working.held.step) == (1, "research:0:0")


def test_what_an_operator_has_to_do_is_told_at_once_beside_what_may_pass(working: Story) -> None:
    working.hold("soon", cause="model_busy")
    assert working.wait(1).hold("later", began=2)
    assert (working.held.cause, working.held.needs_operator) == ("model_access_refused", True)


def test_a_failure_from_before_somebody_asked_takes_their_try_away_from_nobody(
    working: Story,
) -> None:
    working.hold("later", step="research:0:0")
    working.wait(2).retry()
    assert working.wait(2).hold("later", step="research:0:1", began=5) == ()
    assert working.held.is_due(working.now)


def test_the_done_step_ends_the_hold_and_no_other_does(working: Story) -> None:
    working.hold(step="research:0:1")
    assert working.resume("plan") == ()
    assert working.resume("research:0:1")
    assert isinstance(working.events[-1], WorkResumed)
    assert working.operation.hold is None
    assert state_of(working.operation) == "running"
    assert working.resume("research:0:1") == ()


def test_a_step_that_another_process_has_done_holds_up_nothing(working: Story) -> None:
    working.work("plan")
    assert working.hold(step="plan") == ()


def test_nothing_is_held_up_while_people_decide(working: Story) -> None:
    working.open()
    assert working.hold(step="draft:1") == ()
    working.revise(working.ann)
    assert working.hold(step="draft:2")


def test_any_done_step_ends_a_hold_of_nobody_knows_which(working: Story) -> None:
    working.hold(step=None)
    assert working.resume("plan")


def test_what_fails_after_it_went_on_is_an_episode_of_its_own(working: Story) -> None:
    working.hold()
    first = working.held.episode
    working.resume()
    working.wait(60).hold()
    assert working.held.episode > first
    assert (working.held.since, working.held.tries) == (working.now, 1)


def test_an_opened_version_leaves_no_hold(working: Story) -> None:
    working.hold()
    working.open()
    assert working.operation.hold is None


@pytest.mark.parametrize("who", ["requester", "operator"])
def test_the_requester_and_operators_have_it_tried_again_now(working: Story, who: str) -> None:
    working.hold()
    person = getattr(working, who)
    assert working.wait(60).retry(person)
    asked = working.events[-1]
    assert isinstance(asked, RetryRequested)
    assert asked.actor == person.actor
    assert (working.held.asked, working.held.next_try) == (asked, working.now)
    assert state_of(working.operation) == "needs_operator"


def test_nobody_else_can(working: Story) -> None:
    working.hold()
    assert isinstance(working.retry(working.ann), NotAuthorised)
    assert isinstance(working.retry(working.outsider), NotAuthorised)
    assert isinstance(working.retry(working.namesake), NotFound)


def test_asking_twice_records_once(working: Story) -> None:
    working.hold()
    assert working.retry()
    assert working.wait(1).retry(working.requester) == ()


def test_where_nothing_waits_there_is_nothing_to_ask_for(working: Story) -> None:
    assert working.retry() == ()
    working.hold("soon")
    assert working.retry() == ()


def test_what_has_ended_is_not_tried_again(working: Story) -> None:
    working.hold()
    working.withdraw()
    assert state_of(working.operation) == "withdrawn"
    assert isinstance(working.retry(), AlreadyDecided)
    assert isinstance(working.hold(), AlreadyDecided)
    working.close()
    assert isinstance(working.retry(), AlreadyDecided)


def test_who_asks_has_put_something_right_so_the_pauses_begin_anew(working: Story) -> None:
    for _ in range(3):
        working.hold()
        go_to_the_next_try(working)
    assert working.held.pause == 4 * FIRST_PAUSE
    working.retry()
    working.wait(1).hold()
    assert (working.held.tries, working.held.pause) == (4, FIRST_PAUSE)


def test_a_withdrawal_moves_on_what_waits(working: Story) -> None:
    working.hold("never")
    working.wait(60).withdraw()
    assert overdue_from(summarise(working.operation)) == working.now


def test_tries_are_counted_without_a_gap(working: Story) -> None:
    held = WorkHeld(
        at=working.now,
        actor=SYSTEM,
        step="plan",
        cause="c",
        reason="r",
        tries=2,
        next_try=None,
        needs_operator=True,
    )
    assert isinstance(record_hold(working.operation, held), Invalid)


@pytest.mark.parametrize("passes", ["later", "never"])
def test_operators_are_told_once_for_each_episode(working: Story, passes: Passing) -> None:
    working.hold(passes)
    key = f"held:{working.held.episode}"
    assert working.due == key
    working.reserve_notice(key)
    working.record_notice(key, "mail 1")
    working.wait(300).hold(passes)
    assert working.due is None
    working.retry()
    assert working.due is None
    working.resume()
    working.wait(60).hold(passes)
    assert working.due == f"held:{working.held.episode}" != key


def test_what_may_pass_is_news_to_nobody(working: Story) -> None:
    working.hold("soon")
    assert working.due is None
