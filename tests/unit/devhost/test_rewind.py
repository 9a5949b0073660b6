from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from devhost.admission import new_instance
from devhost.episode import Outcome, Snapshot
from devhost.history import Event, Kind, as_played, event
from devhost.instance import Parent
from devhost.replay import HTTP_ACTIVITY
from devhost.rewind import rewound

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
DUE = "2026-01-05T00:00:00.0000000Z"


def told(kind: Kind, id: int = -1, **fields: Any) -> Event:
    return event(kind, NOW, id, **fields)


def scheduled(task: int, name: str = "f", argument: Any = "1") -> Event:
    return told(Kind.TaskScheduled, task, Name=name, Input=json.dumps([argument]))


def done(task: int) -> Event:
    return told(Kind.TaskCompleted, TaskScheduledId=task, Result="1")


def failed(task: int) -> Event:
    return told(Kind.TaskFailed, TaskScheduledId=task, Reason="no", Details="")


def sent(task: int, **content: Any) -> Event:
    request = {"op": "get", "id": f"r{task}", "parent": "one", "parentExecution": "old", **content}
    return told(Kind.EventSent, task, InstanceId="@c@k", Name="op", Input=json.dumps(request))


def raised(name: str, content: Any = None) -> Event:
    return told(Kind.EventRaised, Name=name, Input=json.dumps(content))


def rewind(*episodes: list[Event], parent: Parent | None = None) -> Outcome:
    made, began = new_instance(id="one", name="o", version="", input=None, now=NOW)
    own = replace(made, status="Failed", output="no", episodes=len(episodes))
    first, *rest = episodes
    texts = [as_played([began, *first]), *map(as_played, rest)]
    return rewound(Snapshot(own, tuple(texts)), "mended", NOW, parent)


def arrived(outcome: Outcome) -> list[tuple[str, Any]]:
    return [
        (Kind(e["EventType"]).name, e.get("TaskScheduledId", e.get("TimerId", e.get("Name"))))
        for e in outcome.messages
    ]


def test_the_task_that_failed_last_runs_again_and_the_rest_arrives_again() -> None:
    outcome = rewind(
        [scheduled(0), scheduled(1)],
        [failed(0), scheduled(2)],
        [done(1), failed(2)],
        [raised("go"), told(Kind.ExecutionCompleted)],
    )
    assert [(a.task, a.name, a.input) for a in outcome.activities] == [(2, "f", "1")]
    expected = [("ExecutionRewound", None), ("TaskCompleted", 1), ("EventRaised", "go")]
    assert arrived(outcome) == expected
    own = outcome.after.instance
    assert (own.status, own.output, own.episodes) == ("Running", None, 2)
    assert len(outcome.after.episodes) == 2


def test_results_of_tasks_after_the_cut_are_dropped() -> None:
    outcome = rewind([scheduled(0)], [failed(0), scheduled(1)], [done(1)])
    assert arrived(outcome) == [("ExecutionRewound", None)]
    assert outcome.activities[0].execution == outcome.after.instance.execution


def test_without_a_failed_task_the_last_episode_is_repeated() -> None:
    outcome = rewind([scheduled(0)], [done(0)])
    assert (arrived(outcome)[1:], outcome.activities) == ([("TaskCompleted", 0)], [])
    alone = rewind([])
    assert arrived(alone)[1:] == [("ExecutionStarted", "o")]
    assert alone.after.instance.status == "Pending"


def test_everything_that_was_open_begins_again() -> None:
    outcome = rewind(
        [
            scheduled(0, HTTP_ACTIVITY, {"method": "GET"}),
            told(Kind.TimerCreated, 1, FireAt=DUE),
            told(
                Kind.SubOrchestrationInstanceCreated,
                2,
                Name="child",
                Version="",
                InstanceId="kid",
                Input="1",
            ),
            sent(3),
            sent(4, signal=True),
            sent(5),
        ],
        [raised("r5", {"result": "1"})],
        [raised("go")],
    )
    assert outcome.activities[0].input == '{"method": "GET"}'
    assert [(t.task, t.due) for t in outcome.timers] == [(1, DUE)]
    assert [(c.id, c.explicit) for c in outcome.children] == [("kid", True)]
    [(target, request)] = outcome.requests
    content = json.loads(request["Input"])
    assert (target, content["id"]) == ("@c@k", "r3")
    assert content["parentExecution"] == outcome.after.instance.execution != "old"


def test_a_failed_operation_of_an_entity_is_a_failure() -> None:
    failure = raised("r0", {"result": '"no"', "exceptionType": "Error"})
    outcome = rewind([sent(0)], [failure, scheduled(1)], [done(1)])
    assert [json.loads(r["Input"])["id"] for _, r in outcome.requests] == ["r0"]
    assert arrived(outcome) == [("ExecutionRewound", None)]


def test_a_child_learns_of_its_parents_new_execution() -> None:
    parent = Parent(id="p", execution="new", task=0, name="o")
    assert rewind([scheduled(0)], [failed(0)], parent=parent).after.instance.parent == parent
