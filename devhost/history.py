"""The events of an orchestration's history, in the form that the durable SDK reads."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from enum import IntEnum
from typing import Any

from devhost.clock import stamp

Event = dict[str, Any]


class Kind(IntEnum):
    """The event types of DurableTask.Core that this host writes or reads."""

    ExecutionStarted = 0
    ExecutionCompleted = 1
    ExecutionTerminated = 3
    TaskScheduled = 4
    TaskCompleted = 5
    TaskFailed = 6
    SubOrchestrationInstanceCreated = 7
    SubOrchestrationInstanceCompleted = 8
    SubOrchestrationInstanceFailed = 9
    TimerCreated = 10
    TimerFired = 11
    OrchestratorStarted = 12
    OrchestratorCompleted = 13
    EventSent = 14
    EventRaised = 15
    ContinueAsNew = 16
    ExecutionSuspended = 19
    ExecutionResumed = 20


def event(kind: Kind, moment: datetime, event_id: int = -1, **fields: Any) -> Event:
    """Return an event that has just happened; `fields` are named as on the wire."""
    return {
        "EventType": int(kind),
        "EventId": event_id,
        "IsPlayed": False,
        "Timestamp": stamp(moment),
        **fields,
    }


def failure_details(kind: str, message: str) -> str:
    """Return the `Details` of a failure: a serialised .NET exception, cut to what is read."""
    return json.dumps({"$type": kind, "ClassName": kind, "Message": message})


def as_new(events: Iterable[Event]) -> str:
    """Return `events` as JSON texts joined by commas."""
    return ",".join(map(json.dumps, events))


def as_played(events: Iterable[Event]) -> str:
    """Return `events` as `as_new` does, marked as belonging to an earlier episode."""
    return as_new({**event, "IsPlayed": True} for event in events)


def parse(chunks: Iterable[str]) -> list[Event]:
    """Return the events of `chunks`, each a text that `as_played` or `as_new` wrote."""
    return json.loads(f"[{','.join(filter(None, chunks))}]")
