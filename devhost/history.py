"""The events of an orchestration's history, in the form that the durable SDK reads."""

from __future__ import annotations

import json
import re
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
    GenericEvent = 17
    ExecutionSuspended = 19
    ExecutionResumed = 20


# JSON has line breaks only between its tokens, so this divides events without a look into them.
_JOINT = ",\n"
_PASSED_OVER = tuple(
    f'{{"EventType": {kind:d},'
    for kind in (
        Kind.TaskScheduled,
        Kind.SubOrchestrationInstanceCreated,
        Kind.TimerCreated,
        Kind.OrchestratorCompleted,
    )
)
_LONG_TIME = re.compile(r'("Timestamp": "\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):')


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
    """Return `events` as JSON texts joined by commas, each on a line of its own."""
    return _JOINT.join(map(json.dumps, events))


def as_played(events: Iterable[Event]) -> str:
    """Return `events` as `as_new` does, marked as belonging to an earlier episode."""
    return as_new({**event, "IsPlayed": True} for event in events)


def as_read(chunks: Iterable[str]) -> str:
    """Return the events of `chunks` as the SDK is shown them, in the form of `as_new`.

    It reads the time of every event, also of those that it then passes over, and that takes most
    of an episode. So it gets only the others, with their times in the short form of ISO 8601.
    """
    lines = _JOINT.join(chunks).split(_JOINT)
    acted_on = _JOINT.join(line for line in lines if not line.startswith(_PASSED_OVER))
    return _LONG_TIME.sub(r"\1\2\3T\4\5", acted_on)


def parse(chunks: Iterable[str]) -> list[Event]:
    """Return the events of `chunks`, each a text that `as_played` or `as_new` wrote."""
    return json.loads(f"[{','.join(filter(None, chunks))}]")
