"""An instance as it waits between two turns, told by its history."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from devhost.durable import entity
from devhost.durable.history import Event, Kind

SCHEDULED = {
    Kind.TaskScheduled,
    Kind.SubOrchestrationInstanceCreated,
    Kind.TimerCreated,
    Kind.EventSent,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """An instance as it waited after one of its turns.

    Attributes:
        version: the version of the app that it was recorded with.
        recording: the name of its file.
        turns: how many turns it has had.
        events: its history, as it is kept between two turns.
    """

    version: str
    recording: str
    turns: int
    events: list[Event]

    def __str__(self) -> str:
        awaited = ", ".join(dict.fromkeys(self.awaits()))
        return f"{self.version}/{self.recording} turn {self.turns} ({awaited})"

    @property
    def orchestrator(self) -> str:
        """The name of the orchestrator."""
        return start_of(self.events)["Name"]

    def awaits(self) -> list[str]:
        """The names of what it waits for: activities, orchestrators, entities, "a timer"."""
        return [name_of(each) for each in self.open()]

    def told(self) -> list[str]:
        """The names of the entities that it has sent something without waiting."""
        return [
            name_of(each)
            for each in self.events
            if each["EventType"] == Kind.EventSent and is_signal(each)
        ]

    def open(self) -> list[Event]:
        """What was asked for and has no result yet; timers that were cancelled are among it."""
        return unanswered(self.events)

    def asked(self) -> list[str]:
        """What was asked for, a line each."""
        return [
            " ".join(filter(None, (Kind(each["EventType"]).name, *naming(each))))
            for each in self.events
            if each["EventType"] in SCHEDULED
        ]


def start_of(events: list[Event]) -> Event:
    return next(each for each in events if each["EventType"] == Kind.ExecutionStarted)


def unanswered(events: list[Event]) -> list[Event]:
    answered = {each.get("TaskScheduledId", each.get("TimerId")) for each in events}
    raised = {each["Name"] for each in events if each["EventType"] == Kind.EventRaised}

    def is_open(asked: Event) -> bool:
        if asked["EventType"] == Kind.EventSent:
            return not is_signal(asked) and request_in(asked)["id"] not in raised
        return asked["EventId"] not in answered

    return [each for each in events if each["EventType"] in SCHEDULED and is_open(each)]


def request_in(sent: Event) -> dict[str, Any]:
    """What an entity was sent; its `id` names the answer."""
    return json.loads(sent["Input"])


def is_signal(sent: Event) -> bool:
    return request_in(sent).get("signal", False)


def name_of(scheduled: Event) -> str:
    if scheduled["EventType"] == Kind.EventSent:
        name, _ = entity.name_and_key(scheduled["InstanceId"])
        return name
    return scheduled.get("Name") or "a timer"


def naming(scheduled: Mapping[str, Any]) -> tuple[str, str]:
    return scheduled.get("Name") or "", scheduled.get("InstanceId") or ""
