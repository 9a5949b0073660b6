"""The events and the work that an orchestrator's decisions come to."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from devhost.durable import entity
from devhost.durable.action import SIGNAL
from devhost.durable.history import OWN, Event, Kind, compact, event
from devhost.durable.instance import Activity, Child, Instance, Parent, Timer
from devhost.durable.plan import Decision
from devhost.durable.traces import called_in, new_span
from devhost.time.clock import trimmed

# The namespace in which DurableTask.Core derives the ids of entity requests.
_REQUESTS = uuid.UUID("9e952959-5e33-4daf-827f-2fa12937b875")


class Work:
    """Collects what one episode of an instance sets in motion.

    Attributes:
        events: What its history gains, one event for each decision.
        activities, timers, children: What is to be run for it.
        requests: Events for entities, each with the id of its entity.

    Args:
        instance: The instance that decided.
        now: The episode's time.
    """

    def __init__(self, instance: Instance, now: datetime) -> None:
        self.events: list[Event] = []
        self.activities: list[Activity] = []
        self.timers: list[Timer] = []
        self.children: list[Child] = []
        self.requests: list[tuple[str, Event]] = []
        self._instance = instance
        self._now = now

    def add(self, decisions: Iterable[Decision]) -> None:
        """Take in `decisions`."""
        for decision in decisions:
            _EFFECTS[decision.kind](self, decision)

    def _record(self, decision: Decision, **fields: Any) -> None:
        self.events.append(event(decision.kind, self._now, decision.id, **fields))

    def _timer(self, decision: Decision) -> None:
        own = self._instance
        self._record(decision, FireAt=trimmed(decision.fire_at))
        # Its message can't be taken back: the firing of one that is cancelled will be ignored.
        self.timers.append(
            Timer(instance=own.id, execution=own.execution, task=decision.id, due=decision.fire_at)
        )

    def _activity(self, decision: Decision) -> None:
        call = decision.action.get("httpRequest")
        argument = call or decision.action.get("input")
        self._record(
            decision,
            Name=decision.name,
            ParentTraceContext=called_in(self._instance.execution),
            **{OWN: {"Input": json.dumps([argument])}},
        )
        self.activities.append(
            Activity(
                instance=self._instance.id,
                execution=self._instance.execution,
                task=decision.id,
                name=decision.name,
                input=argument if call is None else json.dumps(call),
            )
        )

    def _child(self, decision: Decision) -> None:
        own, action = self._instance, decision.action
        explicit = action.get("instanceId")
        child = Child(
            id=explicit or f"{own.execution}:{decision.id}",
            name=decision.name,
            version=action.get("version"),
            input=json.dumps(action.get("input")),
            parent=Parent(id=own.id, execution=own.execution, task=decision.id, name=own.name),
            explicit=bool(explicit),
        )
        self._record(
            decision,
            Name=child.name,
            Version=child.version,
            InstanceId=child.id,
            ClientSpanId=new_span(),
            **{OWN: {"Input": child.input}},
        )
        self.children.append(child)

    def _entity(self, decision: Decision) -> None:
        own, action = self._instance, decision.action
        target, signal = action["instanceId"], action["actionType"] == SIGNAL
        content = entity.request(
            action["operation"],
            json.dumps(action.get("input")),
            id=str(uuid.uuid5(_REQUESTS, f"{own.id}_{own.execution}_{decision.id}")),
            now=self._now,
            sender=(own.id, own.execution),
            signal=signal,
        )
        self._record(decision, InstanceId=target, Name="op", Input=compact(content))
        self.requests.append((target, entity.sent(content, self._now)))


_EFFECTS: dict[Kind, Callable[[Work, Decision], None]] = {
    Kind.TaskScheduled: Work._activity,
    Kind.TimerCreated: Work._timer,
    Kind.SubOrchestrationInstanceCreated: Work._child,
    Kind.EventSent: Work._entity,
}
