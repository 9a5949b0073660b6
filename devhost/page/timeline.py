"""The course of an instance as a list of spans, to be drawn."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from devhost.durable.history import Event, Kind

SpanEnd = Literal["open", "done", "failed", "dropped"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """Something that took some time, or none.

    Attributes:
        what: Such as `activity`.
        name: Such as the activity's name.
        began, ended: UTC, in the form of `clock.stamp`; `ended` is None if that isn't known.
        outcome: `dropped` if nobody waits for it any more.
        due: When a timer fires.
        child: The id of a sub-orchestration or entity.
        reason: Why it failed.
    """

    what: str
    name: str
    began: str
    ended: str | None = None
    outcome: SpanEnd = "open"
    due: str | None = None
    child: str | None = None
    reason: str | None = None


_BEGINNINGS = {
    Kind.TaskScheduled: "activity",
    Kind.SubOrchestrationInstanceCreated: "orchestration",
    Kind.TimerCreated: "timer",
    Kind.EventSent: "entity",
}
_ENDINGS: dict[Kind, tuple[str, SpanEnd]] = {
    Kind.TaskCompleted: ("TaskScheduledId", "done"),
    Kind.TaskFailed: ("TaskScheduledId", "failed"),
    Kind.SubOrchestrationInstanceCompleted: ("TaskScheduledId", "done"),
    Kind.SubOrchestrationInstanceFailed: ("TaskScheduledId", "failed"),
    Kind.TimerFired: ("TimerId", "done"),
}
_MOMENTS = {
    Kind.ExecutionStarted: "started",
    Kind.EventRaised: "event",
    Kind.ExecutionTerminated: "terminated",
    Kind.ExecutionSuspended: "suspended",
    Kind.ExecutionResumed: "resumed",
    Kind.ExecutionCompleted: "ended",
}


def timeline(events: Iterable[Event], *, timers: Collection[int], over: bool) -> Sequence[Span]:
    """Return the spans of a history in the order of their beginnings.

    Args:
        events: The history.
        timers: The ids of the timers that are still to fire.
        over: Whether the instance has ended.
    """
    spans: list[Span] = []
    places: dict[int | str, int] = {}
    for event in events:
        kind = Kind(event["EventType"])
        if kind in _BEGINNINGS:
            places[event["EventId"]] = len(spans)
            span = _beginning(kind, event)
            if request := _request(event):
                places[request] = len(spans)
            spans.append(span)
        elif (place := _place(kind, event, places)) is not None:
            outcome = _ENDINGS[kind][1] if kind in _ENDINGS else "done"
            spans[place] = replace(
                spans[place],
                ended=event["Timestamp"],
                outcome=outcome,
                reason=event.get("Reason"),
            )
        elif kind in _MOMENTS:
            spans.append(_moment(kind, event))
    waiting = {places[number] for number in timers if number in places}
    return [
        replace(span, outcome="dropped")
        if span.outcome == "open" and (over or (span.what == "timer" and place not in waiting))
        else span
        for place, span in enumerate(spans)
    ]


def _beginning(kind: Kind, event: Event) -> Span:
    signal = kind == Kind.EventSent and _request(event) is None
    return Span(
        what="signal" if signal else _BEGINNINGS[kind],
        name=event.get("InstanceId", "") if kind == Kind.EventSent else event.get("Name") or "",
        began=event["Timestamp"],
        ended=event["Timestamp"] if signal else None,
        outcome="done" if signal else "open",
        due=event.get("FireAt"),
        child=event.get("InstanceId"),
    )


def _request(event: Event) -> str | None:
    """Return the id that the answer to a call of an entity will have."""
    if event["EventType"] != Kind.EventSent:
        return None
    try:
        message = json.loads(event["Input"])
        return None if message.get("signal") else message.get("id")
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _place(kind: Kind, event: Event, places: dict[int | str, int]) -> int | None:
    if kind == Kind.EventRaised:
        return places.get(event["Name"])
    if kind in _ENDINGS:
        return places.get(event[_ENDINGS[kind][0]])
    return None


def _moment(kind: Kind, event: Event) -> Span:
    moment = event["Timestamp"]
    name = event.get("Name") if kind == Kind.EventRaised else None
    return Span(what=_MOMENTS[kind], name=name or "", began=moment, ended=moment, outcome="done")
