"""A plan: what has to be done that a history doesn't have yet."""

from __future__ import annotations

from dataclasses import dataclass

from devhost.durable.action import Action
from devhost.durable.history import Event, Kind

HTTP_ACTIVITY = "BuiltIn::HttpActivity"

_RECORDED = {
    Kind.TaskScheduled: (
        "an activity task with sequence ID {EventId} and name '{Name}' (version '{Version}')"
    ),
    Kind.SubOrchestrationInstanceCreated: (
        "a sub-orchestration task with sequence ID {EventId} and name '{Name}'"
        " (version '{Version}', instance ID '{InstanceId}')"
    ),
    Kind.TimerCreated: "a timer task with sequence number {EventId}",
    Kind.EventSent: (
        "a send event task with sequence ID {EventId}, type 'EventSent' name '{Name}',"
        " instance ID '{InstanceId}'"
    ),
}


class NonDeterministic(Exception):
    """The orchestrator took another path than its history shows."""

    def __init__(self, recorded: Event) -> None:
        task = _RECORDED[recorded["EventType"]].format_map({"Version": "", **recorded})
        super().__init__(
            "Non-Deterministic workflow detected: A previous execution of this orchestration"
            f" scheduled {task}, but the current replay execution hasn't (yet?) scheduled this"
            " task. Was a change made to the orchestrator code after this instance had already"
            " started running?"
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """One task that the orchestrator wants and that its history doesn't have yet."""

    id: int
    kind: Kind
    name: str
    action: Action
    fire_at: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What a replay found.

    Attributes:
        decisions: The new tasks, in the order of their ids.
        cancelled: Ids of timers that nobody waits for any more.
        finished: Whether the execution may end: the list is exhausted, nothing is open.
        successor: The input of the next execution, if the orchestrator continued as new.
        carried: External events that came after it did so, for the next execution.
        forced: How many blocked compound entries were given up.
        refused: Why calls were not scheduled: the orchestrator waits for their results in vain.
    """

    decisions: tuple[Decision, ...]
    cancelled: frozenset[int]
    finished: bool
    successor: str | None
    carried: tuple[Event, ...]
    forced: int
    refused: tuple[str, ...] = ()
