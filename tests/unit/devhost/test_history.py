from __future__ import annotations

import json
from datetime import datetime, timezone

from azure.durable_functions.models.DurableOrchestrationContext import DurableOrchestrationContext

from devhost.history import Kind, as_new, as_played, as_read, event, parse

NOON = datetime(2026, 3, 4, 12, 30, 5, 678901, tzinfo=timezone.utc)
LOOKS_ALIKE = 'a,\n{"EventType": 4, "Timestamp": "2026-03-04T12:30:05Z"}'

BEGAN = [
    event(Kind.OrchestratorStarted, NOON),
    event(Kind.ExecutionStarted, NOON, Name="chain", Version="", Input=json.dumps(LOOKS_ALIKE)),
    event(Kind.TaskScheduled, NOON, 0, Name="greet", Input="[]"),
    event(Kind.OrchestratorCompleted, NOON),
]
WOKEN = [
    event(Kind.OrchestratorStarted, NOON),
    event(Kind.TaskCompleted, NOON, TaskScheduledId=0, Result='"hello"'),
]


def test_the_sdk_is_shown_what_it_acts_on_and_nothing_of_it_is_changed() -> None:
    shown = parse([as_read([as_played(BEGAN), as_new(WOKEN)])])
    kinds = [Kind.OrchestratorStarted, Kind.ExecutionStarted]
    kinds += [Kind.OrchestratorStarted, Kind.TaskCompleted]
    assert [one["EventType"] for one in shown] == kinds
    assert shown[1]["Input"] == BEGAN[1]["Input"]
    assert [one["IsPlayed"] for one in shown] == [True, True, False, False]


def test_the_sdk_reads_the_same_times_as_are_stored() -> None:
    context = DurableOrchestrationContext.from_json(
        f'{{"history": [{as_read([as_new(BEGAN)])}], "input": null, "instanceId": "one",'
        ' "isReplaying": false, "parentInstanceId": null}'
    )
    assert context.histories is not None
    assert {one.timestamp for one in context.histories} == {NOON}


def test_a_history_in_the_form_of_an_older_host_is_shown_whole() -> None:
    older = ",".join(json.dumps(one) for one in BEGAN)
    assert len(parse([as_read([older])])) == len(BEGAN)
