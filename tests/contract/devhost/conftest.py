"""One instance of the real SDK, turn by turn, without any process around it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import azure.durable_functions as df
import pytest

from devhost.durable.answer import OrchestratorFailed, failure_state
from devhost.durable.episode import Episode
from devhost.durable.history import Event, Kind, event
from devhost.durable.outcome import Outcome
from devhost.durable.snapshot import Snapshot
from devhost.engine.admission import new_instance
from devhost.functions.catalogue import Catalogue, Function

Orchestrator = Callable[[Any], Any]
CATALOGUE = Catalogue(
    [
        Function(name="work", trigger={"type": "activityTrigger"}),
        Function(name="other", trigger={"type": "orchestrationTrigger"}),
        Function(name="Counter", trigger={"type": "entityTrigger"}),
    ]
)


class Run:
    """One instance, turn by turn."""

    def __init__(self, orchestrator: Orchestrator, given: Any = None) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=timezone.utc)
        self._handle = df.Orchestrator.create(orchestrator)
        text = json.dumps(json.dumps(given))
        instance, began = new_instance(id="one", name="o", version="", input=text, now=self.now)
        self.snapshot = Snapshot(instance)
        self.outcome: Outcome
        self.turn(began)

    def turn(self, *messages: Event, seconds: float = 1) -> Outcome:
        self.now += timedelta(seconds=seconds)
        episode = Episode(self.snapshot, messages, self.now)
        try:
            state = json.loads(self._handle(episode.context().decode()))
        except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
            try:
                state = failure_state(str(error))
            except OrchestratorFailed as failed:
                self.outcome = episode.fail_unanswered(str(failed))
                self.snapshot = self.outcome.after
                return self.outcome
        self.outcome = episode.conclude(state, CATALOGUE, 16384)
        self.snapshot = self.outcome.after
        return self.outcome

    def done(self, task: int, value: Any = None) -> Outcome:
        return self.turn(self.completed(task, value))

    def completed(self, task: int, value: Any = None) -> Event:
        result = json.dumps(value)
        return event(Kind.TaskCompleted, self.now, TaskScheduledId=task, Result=result)

    def failed(self, task: int, reason: str = "no") -> Outcome:
        fields = {"TaskScheduledId": task, "Reason": reason, "Details": ""}
        return self.turn(event(Kind.TaskFailed, self.now, **fields))

    def fired(self) -> Outcome:
        [timer] = self.outcome.timers
        return self.turn(event(Kind.TimerFired, self.now, TimerId=timer.task, FireAt=timer.due))

    def raised(self, name: str, value: Any = None) -> Outcome:
        return self.turn(self.event(name, value))

    def event(self, name: str, value: Any = None) -> Event:
        return event(Kind.EventRaised, self.now, Name=name, Input=json.dumps(value))

    @property
    def status(self) -> tuple[str, Any]:
        own = self.snapshot.instance
        return own.status, own.output


@pytest.fixture(name="begin")
def begin_fixture() -> Callable[..., Run]:
    """Begins an instance of an orchestrator, with its input."""
    return Run
