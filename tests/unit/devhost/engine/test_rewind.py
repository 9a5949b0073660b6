from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from devhost.durable.history import Event, Kind, as_played, event, parse
from devhost.durable.outcome import Outcome
from devhost.durable.snapshot import Snapshot
from devhost.engine.admission import new_instance
from devhost.engine.rewind import rewound

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)


def told(kind: Kind, id: int = -1, **fields: Any) -> Event:
    return event(kind, NOW, id, **fields)


def scheduled(task: int, name: str = "f") -> Event:
    return told(Kind.TaskScheduled, task, Name=name, Input=json.dumps(["1"]))


def child(task: int, id: str) -> Event:
    kind = Kind.SubOrchestrationInstanceCreated
    return told(kind, task, Name="c", Version=None, InstanceId=id, Input="1")


def done(task: int) -> Event:
    return told(Kind.TaskCompleted, TaskScheduledId=task, Result="1")


def failed(task: int, kind: Kind = Kind.TaskFailed) -> Event:
    return told(kind, TaskScheduledId=task, Reason="no", Details="")


def rewind(*episodes: list[Event]) -> tuple[Outcome, Sequence[str]]:
    made, began = new_instance(id="one", name="o", version=None, input=None, now=NOW)
    own = replace(made, status="Failed", output="no", episodes=len(episodes))
    first, *rest = episodes
    end = told(Kind.ExecutionCompleted, OrchestrationStatus=3, Result="no")
    texts = [as_played(events) for events in ([began, *first], *rest, [end])]
    return rewound(Snapshot(own, tuple(texts)), "mended", NOW)


def read(outcome: Outcome) -> list[tuple[str, int]]:
    """Return the events after the start that a replay acts on, each with its task."""
    events = parse(outcome.after.episodes)[1:]
    return [
        (Kind(e["EventType"]).name, e.get("TaskScheduledId", e["EventId"]))
        for e in events
        if e["EventType"] != Kind.GenericEvent
    ]


def test_all_that_failed_side_by_side_is_scheduled_again() -> None:
    outcome, children = rewind([scheduled(0), scheduled(1), scheduled(2)], [failed(0), done(1)],
                               [failed(2)])  # fmt: skip
    assert read(outcome) == [("TaskScheduled", 1), ("TaskCompleted", 1)]
    own = outcome.after.instance
    assert (own.status, own.output, own.episodes) == ("Pending", None, 3)
    [again] = outcome.messages
    assert (again["EventType"], again["Data"]) == (Kind.GenericEvent, "mended")
    assert not children


def test_what_an_orchestrator_did_about_a_failure_stays_in_its_history() -> None:
    outcome, _ = rewind([scheduled(0)], [failed(0), told(Kind.TimerCreated, 1, FireAt="")])
    assert read(outcome) == [("TimerCreated", 1)]


def test_a_parent_waits_for_the_children_that_are_rewound_with_it() -> None:
    over = Kind.SubOrchestrationInstanceFailed
    outcome, children = rewind([child(0, "a"), child(1, "b")], [failed(0, over), done(1)])
    assert children == ["a"]
    assert not outcome.messages
    kind = "SubOrchestrationInstanceCreated"
    assert read(outcome) == [(kind, 0), (kind, 1), ("TaskCompleted", 1)]


def test_the_history_keeps_its_length_and_the_execution_its_id() -> None:
    before = [scheduled(0)], [failed(0)]
    outcome, _ = rewind(*before)
    # The start, the schedule, the failure and the end.
    assert len(parse(outcome.after.episodes)) == 4
    began = parse(outcome.after.episodes)[0]
    execution = began["OrchestrationInstance"]["ExecutionId"]
    assert outcome.after.instance.execution == execution
