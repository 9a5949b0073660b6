from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest
from azure.durable_functions.models.DurableOrchestrationContext import DurableOrchestrationContext

from devhost.durable.history import (
    OWN,
    Event,
    Kind,
    as_new,
    as_played,
    as_read,
    event,
    parse,
    timer_created,
)

NOON = datetime(2026, 3, 4, 12, 30, 5, 678901, tzinfo=timezone.utc)
LOOKS_ALIKE = 'a,\n{"EventType": 4, "Timestamp": "2026-03-04T12:30:05Z"}, "devhost": {"b": 1}}'
LOOKS_OWN = f'{{"c": {{"d": {json.dumps(LOOKS_ALIKE)}}}}}'

BEGAN = [
    event(Kind.OrchestratorStarted, NOON),
    event(Kind.ExecutionStarted, NOON, Name="chain", Version="", Input=json.dumps(LOOKS_ALIKE)),
    event(Kind.TaskScheduled, NOON, 0, Name="greet", devhost={"Input": LOOKS_OWN}),
    event(Kind.OrchestratorCompleted, NOON),
]
WOKEN = [
    event(Kind.OrchestratorStarted, NOON),
    event(Kind.TaskCompleted, NOON, TaskScheduledId=0, Result='"hello"'),
]


def shown(*chunks: str) -> list[Event]:
    return parse([as_read(chunks)])


def test_the_sdk_is_shown_everything_but_what_only_the_host_needs() -> None:
    given = shown(as_played(BEGAN), as_new(WOKEN))
    assert [one["EventType"] for one in given] == [one["EventType"] for one in (*BEGAN, *WOKEN)]
    assert given[1]["Input"] == BEGAN[1]["Input"]
    assert given[2] == {name: what for name, what in BEGAN[2].items() if name != OWN}


def test_what_the_orchestrator_was_given_is_played_and_what_the_host_wrote_is_not() -> None:
    played = [one["IsPlayed"] for one in shown(as_played(BEGAN), as_new(WOKEN))]
    assert played == [False, True, False, False, False, False]


def test_the_first_messages_after_continue_as_new_are_played_with_their_end() -> None:
    continued = [*BEGAN[:2], event(Kind.OrchestratorCompleted, NOON), *BEGAN[2:]]
    assert [one["IsPlayed"] for one in shown(as_played(continued))] == [
        False,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("microsecond", "written"),
    [
        # All digits that Python has
        (678901, "2026-03-04T12:30:05.678901Z"),
        # Zeros at the end
        (678000, "2026-03-04T12:30:05.678Z"),
        # Nothing but zeros
        (0, "2026-03-04T12:30:05Z"),
    ],
)
def test_times_end_without_zeros(microsecond: int, written: str) -> None:
    moment = NOON.replace(microsecond=microsecond)
    assert event(Kind.OrchestratorStarted, moment)["Timestamp"] == written


def test_the_sdk_reads_the_same_times_as_are_stored() -> None:
    context = DurableOrchestrationContext.from_json(
        f'{{"history": [{as_read([as_new(BEGAN)])}], "input": null, "instanceId": "one",'
        ' "isReplaying": false, "parentInstanceId": null}'
    )
    assert context.histories is not None
    assert {one.timestamp for one in context.histories} == {NOON}


def test_a_timer_is_found_by_its_id() -> None:
    timers = [event(Kind.TimerCreated, NOON + timedelta(hours=n), n, FireAt="") for n in (1, 12)]
    chunks = [as_played(BEGAN), as_played(timers)]
    assert [timer_created(chunks, task) for task in (1, 12, 2)] == [*timers, None]
