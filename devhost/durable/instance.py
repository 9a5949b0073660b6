"""An orchestration instance, what is sent to it, and what it has running."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from devhost.durable.history import Event, Kind, event
from devhost.durable.traces import started_in

Status = Literal["Pending", "Running", "Suspended", "Completed", "Failed", "Terminated", "Canceled"]

OVER: frozenset[Status] = frozenset({"Completed", "Failed", "Terminated", "Canceled"})

# The numbers of DurableTask.Core's OrchestrationStatus, as `ExecutionCompleted` carries them.
STATUS_CODES: dict[Status, int] = {
    "Running": 0,
    "Completed": 1,
    "Failed": 3,
    "Canceled": 4,
    "Terminated": 5,
    "Pending": 6,
    "Suspended": 7,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Parent:
    """The task of another instance that started this one."""

    id: str
    execution: str
    task: int
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Instance:
    """An instance as its row says.

    Attributes:
        id: Chosen by whoever started it.
        execution: Changes with every start and every continue-as-new.
        input, output, custom_status: JSON texts, but the output of a failure is plain text.
        created, updated: UTC, in the form of `clock.stamp`.
        episodes: How many episodes its history has.
    """

    id: str
    execution: str
    name: str
    version: str | None
    status: Status
    input: str | None
    created: str
    updated: str
    output: str | None = None
    custom_status: str | None = None
    parent: Parent | None = None
    episodes: int = 0

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.status in OVER


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """A wish for a new instance.

    Attributes:
        name: The orchestrator, in any case.
        id: The instance's id; a new one if None.
        input: A JSON text, or None.
        version: None for the app's default.
    """

    name: str
    id: str | None = None
    input: str | None = None
    version: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """An event on its way to an instance.

    Attributes:
        number: Its place in the order of all messages.
        execution: The only execution that it is meant for; None if any.
    """

    number: int
    instance: str
    event: Event
    execution: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Activity:
    """An activity that an instance waits for; `input` is the JSON text of its argument."""

    instance: str
    execution: str
    task: int
    name: str
    input: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Timer:
    """A durable timer; `due` is UTC, in the form of `clock.stamp`."""

    instance: str
    execution: str
    task: int
    due: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Child:
    """A sub-orchestration to start; `explicit` if the orchestrator named its id itself."""

    id: str
    name: str
    version: str | None
    input: str
    parent: Parent
    explicit: bool


def started(instance: Instance, moment: datetime) -> Event:
    """Return the `ExecutionStarted` event of an instance's present execution."""
    parent = instance.parent
    return event(
        Kind.ExecutionStarted,
        moment,
        OrchestrationInstance={"InstanceId": instance.id, "ExecutionId": instance.execution},
        ParentInstance=parent
        and {
            "Name": parent.name,
            "OrchestrationInstance": {
                "InstanceId": parent.id,
                "ExecutionId": parent.execution,
            },
            "TaskScheduleId": parent.task,
            "Version": None,
        },
        ParentTraceContext=started_in(instance.execution, moment),
        Generation=None if parent else 0,
        Name=instance.name,
        Version=instance.version,
        Input=instance.input,
    )
