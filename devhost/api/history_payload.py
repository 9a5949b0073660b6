"""Histories as the management API shows them (`DurableClient` of the durable extension)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from devhost.api.payloads import Json, value
from devhost.durable.history import OWN, RESULTS, Event, Kind
from devhost.durable.instance import STATUS_CODES
from devhost.durable.traces import offset_form
from devhost.time.clock import read_stamp

# A timer is told of twice: when it was created and when it fired.
_RESULTS = {kind: each.of for kind, each in RESULTS.items() if kind != Kind.TimerFired}
_COMPLETIONS = {
    Kind.TaskCompleted,
    Kind.SubOrchestrationInstanceCompleted,
    Kind.ExecutionCompleted,
}
_HIDDEN = {Kind.OrchestratorStarted, Kind.OrchestratorCompleted}
_ALWAYS_DROPPED = {"EventType", "EventId", "IsPlayed", "TaskScheduledId", "TimerId", OWN}
_DROPPED = {
    Kind.ExecutionStarted: {"Name", "OrchestrationInstance", "ParentInstance", "Version", "Tags"},
    Kind.TaskScheduled: {"Version"},
    Kind.SubOrchestrationInstanceCreated: {"Version"},
}
_STATUSES = {code: status for status, code in STATUS_CODES.items()}


def history(events: Iterable[Event], *, show_output: bool, show_input: bool) -> list[Json]:
    """Return a history as `showHistory` shows it: what has a result is told with its result."""
    shown: dict[object, Json] = {}
    origins: dict[tuple[Kind, int], Event] = {}
    for number, event in enumerate(events):
        kind = Kind(event["EventType"])
        if kind in _HIDDEN:
            continue
        document = _document(kind, event, show_output=show_output)
        key: object = number
        if kind in _RESULTS.values():
            key = kind, event["EventId"]
            origins[kind, event["EventId"]] = event
        elif kind in _RESULTS:
            task = _RESULTS[kind], event["TaskScheduledId"]
            shown.pop(task, None)
            document |= _origin(origins.get(task))
        if not show_input:
            document.pop("Input", None)
        shown[key] = document
    return list(shown.values())


def _document(kind: Kind, event: Event, *, show_output: bool) -> Json:
    dropped = _ALWAYS_DROPPED | _DROPPED.get(kind, set())
    document: dict[str, Any] = {"EventType": kind.name}
    document |= {name: each for name, each in event.items() if name not in dropped}
    if kind == Kind.ExecutionStarted:
        document["FunctionName"] = event["Name"]
    if kind == Kind.ExecutionCompleted:
        document["OrchestrationStatus"] = _STATUSES[event["OrchestrationStatus"]]
    if kind in _COMPLETIONS:
        result = document.pop("Result", None)
        document |= {"Result": value(result)} if show_output else {}
    return document


def _origin(scheduled: Event | None) -> Json:
    """Return what a result says of what it is the result of, if that is known."""
    if scheduled is None:
        return {}
    return {
        "ScheduledTime": offset_form(read_stamp(scheduled["Timestamp"])),
        "FunctionName": scheduled["Name"],
        "Input": scheduled["Input"],
    }
