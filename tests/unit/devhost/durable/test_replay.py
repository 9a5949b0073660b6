from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from devhost.durable.action import Action, UnreadableAction, UnsupportedAction
from devhost.durable.history import Event, Kind, event
from devhost.durable.plan import NonDeterministic, Plan
from devhost.durable.replay import Replay
from devhost.time.clock import stamp
from testbed.cost import times_as_much

NOON = datetime(2026, 1, 1, 12, tzinfo=timezone.utc)
TWICE = {"firstRetryIntervalInMilliseconds": 1000, "maxNumberOfAttempts": 2}


def activity(name: str = "f") -> Action:
    return {"actionType": 0, "functionName": name, "input": "1"}


def retried(name: str = "f", **options: Any) -> Action:
    return {**activity(name), "actionType": 1, "retryOptions": {**TWICE, **options}}


def child(name: str = "f") -> Action:
    return {"actionType": 2, "functionName": name, "input": "1", "instanceId": None}


def wait(name: str = "go") -> Action:
    return {"actionType": 6, "externalEventName": name, "reason": "ExternalEvent"}


def timer(*, cancelled: bool = False) -> Action:
    return {
        "actionType": 5,
        "fireAt": "2026-01-01T13:00:00.000000Z",
        "isCanceled": cancelled,
    }


def any_of(*children: Action) -> Action:
    return {"actionType": 11, "compoundActions": list(children)}


def all_of(*children: Action) -> Action:
    return {"actionType": 12, "compoundActions": list(children)}


def anew(value: str = "2") -> Action:
    return {"actionType": 4, "input": value}


class History:
    """A history in the making; each method adds what the host would record."""

    def __init__(self) -> None:
        self.now = NOON
        self.events: list[Event] = []
        self._add(Kind.OrchestratorStarted)._add(Kind.ExecutionStarted, Name="o")

    def _add(self, kind: Kind, event_id: int = -1, **fields: Any) -> History:
        self.events.append(event(kind, self.now, event_id, **fields))
        return self

    def wake(self, seconds: float = 1, **fields: Any) -> History:
        self._add(Kind.OrchestratorCompleted)
        self.now += timedelta(seconds=seconds)
        return self._add(Kind.OrchestratorStarted, **fields)

    def scheduled(self, task: int, name: str = "f") -> History:
        return self._add(Kind.TaskScheduled, task, Name=name)

    def done(self, task: int) -> History:
        return self._add(Kind.TaskCompleted, TaskScheduledId=task)

    def failed(self, task: int) -> History:
        return self._add(Kind.TaskFailed, TaskScheduledId=task)

    def set(self, task: int) -> History:
        return self._add(Kind.TimerCreated, task)

    def fired(self, task: int) -> History:
        return self._add(Kind.TimerFired, TimerId=task)

    def raised(self, name: str = "go") -> History:
        return self._add(Kind.EventRaised, Name=name)

    def plan(self, *actions: Action, ended: bool = False) -> Plan:
        return Replay(actions, ended=ended).run(self.events)


def ids(plan: Plan) -> list[int]:
    return [decision.id for decision in plan.decisions]


def test_the_first_action_is_decided_and_the_rest_waits_for_it() -> None:
    assert ids(History().plan(activity("a"), activity("b"))) == [0]


def test_what_history_has_is_not_decided_again() -> None:
    running = History().scheduled(0, "a").wake()
    assert ids(running.plan(activity("a"))) == []
    assert ids(running.done(0).plan(activity("a"), activity("b"))) == [1]


def test_everything_but_an_event_takes_an_id() -> None:
    every = all_of(activity(), child(), timer(), wait(), retried())
    assert ids(History().plan(every)) == [0, 1, 2, 3]


def test_nested_compounds_number_their_children_depth_first() -> None:
    plan = History().plan(any_of(all_of(activity("a"), activity("b")), activity("c")))
    assert [(d.id, d.name) for d in plan.decisions] == [(0, "a"), (1, "b"), (2, "c")]


def test_all_waits_for_the_last_and_a_failure_counts_as_an_end() -> None:
    both = all_of(activity(), activity())
    history = History().scheduled(0).scheduled(1).wake().failed(0)
    assert ids(history.plan(both, activity())) == []
    assert ids(history.done(1).plan(both, activity())) == [2]


def test_any_goes_on_with_the_first() -> None:
    history = History().scheduled(0).scheduled(1).wake().done(1)
    assert ids(history.plan(any_of(activity(), activity()), activity())) == [2]


def test_an_execution_ends_only_when_nothing_is_open() -> None:
    race = any_of(wait(), timer())
    history = History().set(0).wake().raised()
    assert not history.plan(race, ended=True).finished
    assert history.plan(any_of(wait(), timer(cancelled=True)), ended=True).finished
    assert history.wake().fired(0).plan(race, ended=True).finished


def test_a_cancelled_timer_is_told_and_its_late_firing_ignored() -> None:
    race = any_of(wait(), timer(cancelled=True))
    history = History().set(0).wake().raised()
    assert history.plan(race, activity()).cancelled == {0}
    assert ids(history.fired(0).plan(race, activity())) == [1]


def test_a_failed_try_pauses_and_tries_again() -> None:
    history = History().scheduled(0).wake().failed(0)
    [pause] = history.plan(retried()).decisions
    assert (pause.id, pause.kind) == (1, Kind.TimerCreated)
    assert pause.fire_at == stamp(NOON + timedelta(seconds=2))
    [again] = history.set(1).wake().fired(1).plan(retried()).decisions
    assert (again.id, again.name) == (2, "f")


def test_the_last_failure_surfaces_after_one_more_timer() -> None:
    history = History().scheduled(0).wake().failed(0).set(1).wake().fired(1)
    history.scheduled(2).wake().failed(2)
    [extra] = history.plan(retried(), activity("b")).decisions
    assert (extra.id, extra.fire_at) == (3, stamp(NOON + timedelta(seconds=3)))
    assert ids(history.set(3).wake().fired(3).plan(retried(), activity("b"))) == [4]


def test_pauses_grow_up_to_a_limit() -> None:
    many = retried(maxNumberOfAttempts=5, backoffCoefficient=3, maxRetryIntervalInMilliseconds=2000)
    history = History().scheduled(0).wake().failed(0).set(1).wake().fired(1)
    [pause] = history.scheduled(2).wake().failed(2).plan(many).decisions
    assert pause.fire_at == stamp(NOON + timedelta(seconds=5))


def test_retries_and_other_tasks_share_their_ids_in_the_order_of_events() -> None:
    both = all_of(retried("a"), retried("b"))
    history = History().scheduled(0, "a").scheduled(1, "b").wake().failed(1).failed(0)
    plan = history.plan(both)
    assert ids(plan) == [2, 3]
    again = history.set(2).set(3).wake().fired(2).plan(both)
    assert [(d.id, d.name) for d in again.decisions] == [(4, "b")]


def test_the_newest_wait_gets_the_event_whatever_its_case() -> None:
    waits = any_of(all_of(wait(), activity()), all_of(wait("GO"), timer()))
    history = History().scheduled(0).set(1).wake().fired(1).raised("Go")
    assert ids(history.plan(waits, activity())) == [2]


def test_early_events_are_kept_in_their_order() -> None:
    history = History().scheduled(0).raised().raised().wake().done(0)
    assert ids(history.plan(activity(), wait(), wait(), activity())) == [1]
    assert ids(history.plan(activity(), wait(), wait(), wait(), activity())) == []


def test_a_compound_that_the_sdk_has_left_is_left() -> None:
    # The SDK lists only the second timer: the wait beside it was scheduled with the first.
    first, second = any_of(wait(), timer()), any_of(timer())
    history = History().set(0).wake().fired(0).set(1).wake().raised()
    plan = history.plan(first, second, activity())
    assert (ids(plan), plan.forced) == ([2], 1)
    assert history.plan(first, second).forced == 0


def test_a_later_replay_leaves_it_at_the_same_place() -> None:
    first, second, third = any_of(wait(), timer()), any_of(timer()), wait()
    history = History().set(0).wake().fired(0).set(1).wake(devhost={"Forced": 1}).raised()
    assert history.wake().plan(first, second, third).forced == 0
    assert ids(history.raised().plan(first, second, third, activity())) == [2]


def test_an_early_event_that_the_sdk_uses_twice_does_not_let_the_host_go_on() -> None:
    race = any_of(wait(), timer())
    history = History().scheduled(0).raised().wake().done(0)
    plan = history.plan(activity(), race, race, activity("never"))
    assert (ids(plan), plan.forced) == ([1, 2], 0)


def test_continuing_as_new_keeps_what_comes_after() -> None:
    history = History().scheduled(0).raised("before").wake().done(0).raised("after")
    plan = history.plan(activity(), anew("3"), ended=True)
    assert (plan.finished, plan.successor) == (True, "3")
    assert [event["Name"] for event in plan.carried] == ["after"]


@pytest.mark.parametrize(
    "action",
    [
        # Another name
        activity("other"),
        # Another kind of task
        child("f"),
        # No task at all
        wait(),
    ],
)
def test_a_history_that_the_actions_do_not_lead_to_is_refused(action: Action) -> None:
    with pytest.raises(NonDeterministic, match="sequence ID 0"):
        History().scheduled(0, "f").wake().plan(action)


def test_names_match_whatever_their_case() -> None:
    assert ids(History().scheduled(0, "F").wake().done(0).plan(activity("f"), activity())) == [1]


def test_surplus_results_are_ignored() -> None:
    history = History().scheduled(0).wake().done(0).done(0).done(7)
    assert ids(history.plan(activity(), activity())) == [1]


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(UnsupportedAction, match="99"):
        History().plan({"actionType": 99})


def test_a_number_is_taken_for_the_text_that_an_id_has_to_be() -> None:
    [decision] = History().plan({**child(), "instanceId": 7}).decisions
    assert decision.action["instanceId"] == "7"


@pytest.mark.parametrize(
    "changes", [{"instanceId": {"id": 7}}, {"instanceId": ["7"]}, {"functionName": {}}]
)
def test_an_id_or_a_name_that_is_no_text_can_t_be_carried_out(changes: Action) -> None:
    with pytest.raises(UnreadableAction, match="of an action has to be a text"):
        History().plan({**child(), **changes})


def fan_in(width: int) -> Callable[[], list[int]]:
    many = all_of(*(activity() for _ in range(width)))
    history = History()
    for task in range(width):
        history.scheduled(task)
    history.wake()
    for task in range(width):
        history.done(task)
    return lambda: ids(history.plan(many, activity()))


def test_a_wide_fan_in_takes_no_quadratic_time() -> None:
    assert fan_in(5000)() == [5000]
    assert times_as_much(fan_in(5000), fan_in(500)) < 40


def test_a_pause_ends_with_the_calendar_at_the_latest() -> None:
    endless = retried(firstRetryIntervalInMilliseconds=10**15)
    [pause] = History().scheduled(0).wake().failed(0).plan(endless).decisions
    assert pause.fire_at.startswith("9999-12-31T23:59:59")
