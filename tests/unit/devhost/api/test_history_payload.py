from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from devhost.api.history_payload import history
from devhost.durable.history import OWN, Event, Kind, event

NOON = datetime(2026, 3, 4, 12, tzinfo=timezone.utc)
LATER = NOON + timedelta(seconds=1.5)
BEGAN = [
    event(Kind.OrchestratorStarted, NOON),
    event(Kind.ExecutionStarted, NOON, Name="chain", Version=None, Input='"1"'),
    event(Kind.TaskScheduled, LATER, 0, Name="greet", **{OWN: {"Input": "[]"}}),
    event(Kind.OrchestratorCompleted, NOON),
]


def shown(*events: Event, show_output: bool = True, show_input: bool = True) -> list[Any]:
    return history([*BEGAN, *events], show_output=show_output, show_input=show_input)


def test_what_has_no_result_yet_is_shown_as_it_was_scheduled() -> None:
    timer = event(Kind.TimerCreated, LATER, 1, FireAt="2026-03-05T12:00:00Z")
    began, waiting, set_ = shown(timer)
    assert (began["EventType"], began["FunctionName"]) == ("ExecutionStarted", "chain")
    assert waiting == {
        "EventType": "TaskScheduled",
        "Timestamp": "2026-03-04T12:00:01.5Z",
        "Name": "greet",
        "Input": None,
        "Tags": None,
    }
    assert set_ == {
        "EventType": "TimerCreated",
        "Timestamp": "2026-03-04T12:00:01.5Z",
        "FireAt": "2026-03-05T12:00:00Z",
    }


def test_a_result_stands_in_place_of_what_it_is_the_result_of() -> None:
    done = event(Kind.TaskCompleted, LATER, TaskScheduledId=0, Result='{"a":1}')
    _, result = shown(done)
    assert result == {
        "EventType": "TaskCompleted",
        "Timestamp": "2026-03-04T12:00:01.5Z",
        "ScheduledTime": "2026-03-04T12:00:01.5+00:00",
        "FunctionName": "greet",
        "Input": None,
        "Result": {"a": 1},
    }


def test_a_timer_that_fired_stands_beside_its_creation() -> None:
    timer = event(Kind.TimerCreated, LATER, 1, FireAt="")
    fired = event(Kind.TimerFired, LATER, TimerId=1, FireAt="")
    kinds = [one["EventType"] for one in shown(timer, fired)]
    assert kinds == ["ExecutionStarted", "TaskScheduled", "TimerCreated", "TimerFired"]


def test_a_failure_says_why_whatever_is_hidden() -> None:
    failed = event(Kind.TaskFailed, LATER, TaskScheduledId=0, Reason="no", Details="{}")
    _, failure = shown(failed, show_output=False)
    assert (failure["Reason"], failure["Details"]) == ("no", "{}")


def test_inputs_and_results_are_shown_to_who_asks_for_them() -> None:
    done = event(Kind.TaskCompleted, LATER, TaskScheduledId=0, Result="1")
    rung = event(Kind.EventRaised, LATER, Name="go", Input="2")
    assert [one.get("Input") for one in shown(done, rung)] == ['"1"', None, "2"]
    hidden = shown(done, rung, show_output=False, show_input=False)
    assert not [one for one in hidden if {"Input", "Result"} & set(one)]


def test_a_result_that_came_twice_is_told_twice() -> None:
    done = event(Kind.TaskCompleted, LATER, TaskScheduledId=0, Result="1")
    assert [one["FunctionName"] for one in shown(done, done)] == ["chain", "greet", "greet"]
