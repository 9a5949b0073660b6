"""The events and the work that an orchestrator's decisions come to."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from devhost import entity
from devhost.catalogue import Catalogue
from devhost.history import Event, Kind, event
from devhost.instance import Activity, Child, Instance, Parent, Timer
from devhost.replay import Decision

# The namespace in which DurableTask.Core derives the ids of entity requests.
_REQUESTS = uuid.UUID("9e952959-5e33-4daf-827f-2fa12937b875")
_SIGNAL = 9


class Work:
    """Collects what one episode of an instance sets in motion.

    Attributes:
        events: What its history gains, one event for each decision.
        activities, timers, children: What is to be run for it.
        requests: Events for entities, each with the id of its entity.
        replies: Answers that are known already, on their way back to the instance.
        notes: What the console is to tell about what can't be done.

    Args:
        instance: The instance that decided.
        catalogue: The functions that there are.
        now: The episode's time.
    """

    def __init__(self, instance: Instance, catalogue: Catalogue, now: datetime) -> None:
        self.events: list[Event] = []
        self.activities: list[Activity] = []
        self.timers: list[Timer] = []
        self.children: list[Child] = []
        self.requests: list[tuple[str, Event]] = []
        self.replies: list[Event] = []
        self.notes: list[str] = []
        self._instance = instance
        self._catalogue = catalogue
        self._now = now

    def add(self, decisions: Iterable[Decision], cancelled: frozenset[int]) -> None:
        """Take in `decisions`; a timer that is cancelled already is recorded but not set."""
        for decision in decisions:
            if decision.kind == Kind.TimerCreated:
                self._timer(decision, wanted=decision.id not in cancelled)
            else:
                _EFFECTS[decision.kind](self, decision)

    def _record(self, decision: Decision, **fields: Any) -> None:
        self.events.append(event(decision.kind, self._now, decision.id, **fields))

    def _reply(self, kind: Kind, **fields: Any) -> None:
        self.replies.append(event(kind, self._now, **fields))

    def _timer(self, decision: Decision, *, wanted: bool) -> None:
        self._record(decision, FireAt=decision.fire_at)
        if wanted:
            own = self._instance
            self.timers.append(
                Timer(
                    instance=own.id,
                    execution=own.execution,
                    task=decision.id,
                    due=decision.fire_at,
                )
            )

    def _activity(self, decision: Decision) -> None:
        call = decision.action.get("httpRequest")
        argument = call or decision.action.get("input")
        self._record(decision, Name=decision.name, Version="", Input=json.dumps([argument]))
        if call is None and self._catalogue.activity(decision.name) is None:
            missing = f"Activity function '{decision.name}'"
            self._fail_task(decision, f"{missing} failed:  {missing} does not exist.")
        else:
            self.activities.append(
                Activity(
                    instance=self._instance.id,
                    execution=self._instance.execution,
                    task=decision.id,
                    name=decision.name,
                    input=argument if call is None else json.dumps(call),
                )
            )

    def _fail_task(self, decision: Decision, reason: str) -> None:
        self._reply(Kind.TaskFailed, TaskScheduledId=decision.id, Reason=reason, Details="")

    def _child(self, decision: Decision) -> None:
        own, action = self._instance, decision.action
        explicit = action.get("instanceId")
        child = Child(
            id=explicit or f"{own.execution}:{decision.id}",
            name=decision.name,
            version=action.get("version") or "",
            input=json.dumps(action.get("input")),
            parent=Parent(id=own.id, execution=own.execution, task=decision.id, name=own.name),
            explicit=bool(explicit),
        )
        self._record(
            decision,
            Name=child.name,
            Version=child.version,
            InstanceId=child.id,
            Input=child.input,
        )
        if entity.is_entity(child.id):
            self.refuse(child, f"The instance id '{child.id}' is that of an entity.")
        elif self._catalogue.orchestrator(child.name) is None:
            self.refuse(child, f"Orchestrator function '{child.name}' does not exist.")
        else:
            self.children.append(child)

    def refuse(self, child: Child, reason: str) -> None:
        """Let the task of `child` fail instead of starting it."""
        self._reply(
            Kind.SubOrchestrationInstanceFailed,
            TaskScheduledId=child.parent.task,
            Reason=reason,
            Details="",
        )

    def _entity(self, decision: Decision) -> None:
        own, action = self._instance, decision.action
        target, signal = action["instanceId"], action["actionType"] == _SIGNAL
        content = entity.request(
            action["operation"],
            json.dumps(action.get("input")),
            id=str(uuid.uuid5(_REQUESTS, f"{own.id}_{own.execution}_{decision.id}")),
            sender=(own.id, own.execution),
            signal=signal,
        )
        self._record(decision, InstanceId=target, Name="op", Input=json.dumps(content))
        name, _ = entity.name_and_key(target)
        if self._catalogue.entity(name) is not None:
            self.requests.append((target, entity.sent(content, self._now)))
            return
        missing = f"Entity function '{name}' does not exist."
        self.notes.append(missing)
        if not signal:
            reply = entity.answer(content["id"], json.dumps(missing), self._now, failed=True)
            self.replies.append(reply)


_EFFECTS: dict[Kind, Callable[[Work, Decision], None]] = {
    Kind.TaskScheduled: Work._activity,
    Kind.SubOrchestrationInstanceCreated: Work._child,
    Kind.EventSent: Work._entity,
}
