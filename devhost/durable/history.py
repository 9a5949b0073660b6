"""The events of an orchestration's history, in the form that the durable SDK reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Any

from devhost.time.clock import stamp, trimmed

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


OWN = "devhost"
"""The key under which an event keeps what only this host needs; nobody else is shown it."""

SCHEDULED = frozenset(
    {
        Kind.TaskScheduled,
        Kind.SubOrchestrationInstanceCreated,
        Kind.TimerCreated,
        Kind.EventSent,
    }
)
"""What an orchestrator's decisions become."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """What the events of a kind are the result of.

    Attributes:
        of: The kind of the event that began it.
        task: The key under which they name that event's id.
        failed: Whether it has failed.
    """

    of: Kind
    task: str = "TaskScheduledId"
    failed: bool = False


RESULTS = {
    Kind.TaskCompleted: Result(of=Kind.TaskScheduled),
    Kind.TaskFailed: Result(of=Kind.TaskScheduled, failed=True),
    Kind.SubOrchestrationInstanceCompleted: Result(of=Kind.SubOrchestrationInstanceCreated),
    Kind.SubOrchestrationInstanceFailed: Result(
        of=Kind.SubOrchestrationInstanceCreated, failed=True
    ),
    Kind.TimerFired: Result(of=Kind.TimerCreated, task="TimerId"),
}
"""By the kinds of events that are results."""

# What events of a kind have besides, where this host has nothing to say.
_EMPTY: dict[Kind, Event] = {
    Kind.ExecutionStarted: {
        "Correlation": None,
        "GenerateNewTrace": False,
        "ScheduledStartTime": None,
        "Tags": None,
    },
    Kind.TaskScheduled: {"Input": None, "Tags": None, "Version": ""},
    Kind.TaskFailed: {"FailureDetails": None},
    Kind.SubOrchestrationInstanceCreated: {"Input": None, "Tags": None},
    Kind.SubOrchestrationInstanceFailed: {"FailureDetails": None},
    Kind.EventRaised: {"ParentTraceContext": None},
}
# JSON has line breaks only between its tokens, so this divides events without a look into them.
_JOINT = ",\n"
# In a text of JSON each quotation mark has a backslash, so this is found between its texts alone.
_OWN_PART = re.compile(rf', "{OWN}": \{{.*\}}(?=\}},?$)', re.MULTILINE)
_NEVER_PLAYED = SCHEDULED | {Kind.OrchestratorStarted, Kind.ExecutionCompleted}


def event(kind: Kind, moment: datetime, event_id: int = -1, **fields: Any) -> Event:
    """Return an event that has just happened; `fields` are named as on the wire."""
    return {
        "EventType": int(kind),
        "EventId": event_id,
        "IsPlayed": False,
        "Timestamp": trimmed(stamp(moment)),
        **_EMPTY.get(kind, {}),
        **fields,
    }


def compact(value: Any) -> str:
    """Return a value as JSON without blanks, as the extension writes it."""
    return json.dumps(value, separators=(",", ":"))


def as_new(events: Iterable[Event]) -> str:
    """Return `events` as JSON texts joined by commas, each on a line of its own."""
    return _JOINT.join(map(json.dumps, events))


def as_played(events: Sequence[Event]) -> str:
    """Return the events of a turn that is over as `as_new` does, marked as in later turns.

    What the orchestrator was given is played from then on. What the host wrote itself never is,
    as DurableTask.Core marks events when it processes them, and stores none of those marks.
    """
    *events, last = events
    return as_new((*map(_played, events), last))


def _played(event: Event) -> Event:
    return event if event["EventType"] in _NEVER_PLAYED else {**event, "IsPlayed": True}


def as_read(chunks: Iterable[str]) -> str:
    """Return the events of `chunks` as the SDK is shown them, in the form of `as_new`."""
    return _OWN_PART.sub("", _JOINT.join(chunks))


def timer_created(chunks: Iterable[str], task: int) -> Event | None:
    """Return the event with which a timer was created, if it is in a history."""
    created = f'{{"EventType": {Kind.TimerCreated:d}, "EventId": {task}, '
    lines = _JOINT.join(chunks).split(_JOINT)
    found = next((line for line in lines if line.startswith(created)), None)
    return json.loads(found) if found else None


def parse(chunks: Iterable[str]) -> list[Event]:
    """Return the events of `chunks`, each a text that `as_played` or `as_new` wrote."""
    return json.loads(f"[{','.join(filter(None, chunks))}]")
