"""Orchestrators driven by histories, as a host would feed them, without a host."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any, ClassVar

import azure.functions as func
import pytest
from agent_framework_azurefunctions import AgentFunctionApp

import orchestrators.story
from activities.questions import HostedFactChecker

STORIES = ("gate", "research", "purchase")
"""The modules whose orchestrators need nothing of the app."""

VERSION = "2"
"""Which an instance has that begins today, by host.json."""

BEGAN, SCHEDULED, DONE, FAILED = 0, 4, 5, 6
CHILD_CREATED, CHILD_DONE, CHILD_FAILED = 7, 8, 9
CREATE_TIMER, SIGNAL = 5, 9
TIMER_SET, TIMER_FIRED, WAKE, SLEEP, SENT, EVENT = 10, 11, 12, 13, 14, 15


class History:
    """The events that a host would have recorded, in order; `wake` starts the next delivery."""

    def __init__(
        self, orchestrator: Callable[[Any], str], given: Any = None, version: str | None = None
    ) -> None:
        self.orchestrator = orchestrator
        self.now = datetime(2026, 1, 1, tzinfo=timezone.utc)
        self.given = json.dumps(given)
        self.events: list[dict[str, Any]] = []
        self._add(WAKE)._add(BEGAN, Name="under_test", Input=self.given, Version=version)

    def _add(self, kind: int, event_id: int = -1, **fields: Any) -> History:
        stamp = self.now.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        event = {"EventType": kind, "EventId": event_id, "IsPlayed": False, "Timestamp": stamp}
        self.events.append({**event, **fields})
        return self

    def wake(self, **later: float) -> History:
        self._add(SLEEP)
        self.now += timedelta(**later)
        return self._add(WAKE)

    def scheduled(self, task: int, name: str) -> History:
        return self._add(SCHEDULED, task, Name=name)

    def done(self, task: int, result: Any = None) -> History:
        return self._add(DONE, TaskScheduledId=task, Result=json.dumps(result))

    def failed(self, task: int, reason: str) -> History:
        return self._add(FAILED, TaskScheduledId=task, Reason=reason, Details="")

    def child(self, task: int, name: str, instance_id: str) -> History:
        return self._add(CHILD_CREATED, task, Name=name, InstanceId=instance_id)

    def child_done(self, task: int, result: Any) -> History:
        return self._add(CHILD_DONE, TaskScheduledId=task, Result=json.dumps(result))

    def child_failed(self, task: int, reason: str) -> History:
        return self._add(CHILD_FAILED, TaskScheduledId=task, Reason=reason, Details="")

    def timer(self, task: int) -> History:
        return self._add(TIMER_SET, task, FireAt="")

    def fired(self, task: int) -> History:
        return self._add(TIMER_FIRED, TimerId=task, FireAt="")

    def asked(self, task: int, request: str) -> History:
        """An entity was called; `request` names its answer."""
        return self._add(SENT, task, Name="op", Input=json.dumps({"id": request}))

    def replied(self, request: str, result: Any) -> History:
        return self.event(request, {"result": json.dumps(result)})

    def event(self, name: str, data: Any = None, *, raw: str | None = None) -> History:
        return self._add(EVENT, Name=name, Input=json.dumps(data) if raw is None else raw)

    def replay(self) -> dict[str, Any]:
        """What the orchestrator answers to this history: isDone, actions, output."""
        body = {
            "history": self.events,
            "input": self.given,
            "instanceId": "run-1",
            "isReplaying": False,
            "parentInstanceId": None,
            "sourceInstanceId": None,
            "upperSchemaVersion": 1,
            "upperSchemaVersionNew": 3,
            "maximumShortTimerDuration": "6.00:00:00",
            "longRunningTimerIntervalDuration": "3.00:00:00",
        }
        context = func.OrchestrationContext(json.dumps(body))
        return json.loads(self.orchestrator(context))

    def actions(self) -> list[dict[str, Any]]:
        """All single actions asked for so far, those inside compounds too, in order."""
        return flat(self.replay()["actions"][0])


def flat(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        single
        for action in actions
        for single in (flat(action["compoundActions"]) if "compoundActions" in action else [action])
    ]


class Play:
    """Drives an orchestrator to its end, answering each call from a cast of plain functions.

    The cast maps the name of an activity or sub-orchestrator to a function of its order; one that
    raises has failed for good, as after its last retry. Calls made side by side are carried out one
    after the other, so only the last of them may fail.
    """

    def __init__(self, history: History, cast: Mapping[str, Callable[[dict[str, Any]], Any]]):
        self.history, self.cast = history, cast
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.instances: list[str] = []
        self.output: Any = None

    def run(self) -> None:
        """Play to the end; `output` is the orchestrator's then."""
        task = performed = 0
        for _ in range(400):
            answer = self.history.replay()
            if answer["isDone"]:
                self.output = answer["output"]
                return
            wanted = flat(answer["actions"][0])
            for action in wanted[performed:]:
                task = self._perform(task, action)
            performed = len(wanted)
            self.history.wake(seconds=1)
        raise AssertionError("the orchestrator does not come to an end")

    def names(self) -> list[str]:
        """The names of all calls so far, in order."""
        return [name for name, _ in self.calls]

    def versions(self, name: str) -> list[int]:
        """The versions that this was called for, in order."""
        return [order["version"] for called, order in self.calls if called == name]

    def signalled(self) -> list[str]:
        """The ids of the entities that were told something."""
        told = [each for each in self.history.actions() if each["actionType"] == SIGNAL]
        return [each["instanceId"] for each in told]

    def _perform(self, task: int, action: dict[str, Any]) -> int:
        if action["actionType"] == CREATE_TIMER:
            self.history.timer(task).wake(minutes=20).fired(task)
            return task + 1
        name, order = action["functionName"], json.loads(action["input"])
        self.calls.append((name, order))
        is_child = action["actionType"] in {2, 3}
        if is_child:
            self.instances.append(action["instanceId"])
        attempts = action["retryOptions"]["maxNumberOfAttempts"] if "retryOptions" in action else 1
        for _ in range(attempts):
            if is_child:
                self.history.child(task, name, action["instanceId"]).wake(seconds=1)
            else:
                self.history.scheduled(task, name).wake(seconds=1)
            try:
                result = self.cast[name](order)
            except RuntimeError as error:
                fail = self.history.child_failed if is_child else self.history.failed
                fail(task, str(error))
                if "retryOptions" not in action:
                    return task + 1
                self.history.timer(task + 1).wake(seconds=5).fired(task + 1)
                task += 2
                continue
            (self.history.child_done if is_child else self.history.done)(task, result)
            return task + 1
        return task


class Cast(dict[str, Callable[[dict[str, Any]], Any]]):
    """What every story needs, and goes well: gates answer in turn, and the ledger has the end.

    Args:
        outcomes: what the gates answer.
        more: what else the story needs, by name.
    """

    ORDER: ClassVar = {"tenant": "home", "operation_id": "o-1"}
    OUTPUT: ClassVar = {"outcome": "as the ledger says"}

    def __init__(self, *outcomes: str, **more: Callable[[dict[str, Any]], Any]) -> None:
        turns: Iterator[str] = iter(outcomes)
        super().__init__(
            open_proposal=lambda order: {"version": order["version"]},
            approval_gate=lambda order: {"next": next(turns)},
            close_operation=lambda order: {"outcome": order.get("ends_as", self.OUTPUT["outcome"])},
            **more,
        )

    def fail(self, name: str, times: int, unless: Callable[[Any], bool] = lambda _: False) -> Cast:
        """Have an activity fail so many times, but for some orders, before it works again."""
        works, failures = self[name], iter(range(times))

        def flaky(order: dict[str, Any]) -> Any:
            if not unless(order) and next(failures, None) is not None:
                raise RuntimeError("Activity function failed")
            return works(order)

        self[name] = flaky
        return self

    def answer(self, name: str, **answer: Any) -> Cast:
        """Have an activity give this answer."""
        self[name] = lambda order: answer
        return self


@pytest.fixture(scope="session")
def new_cast() -> type[Cast]:
    """Makes the cast of a story."""
    return Cast


@pytest.fixture
def short_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """An outage is over soon: a replay takes the longer, the more there is to replay."""
    monkeypatch.setattr(orchestrators.story, "OUTAGE_TRIES", 3)


@pytest.fixture(scope="session")
def index() -> Callable[[], dict[str, Callable[[Any], str]]]:
    """Gives the orchestrators that can be imported by the names under which they are indexed."""

    def by_name() -> dict[str, Callable[[Any], str]]:
        app: Any = AgentFunctionApp(
            agents=[HostedFactChecker()], enable_http_endpoints=False, enable_health_check=False
        )
        for name in STORIES:
            app.register_functions(importlib.import_module(f"orchestrators.{name}").blueprint)
        questions = importlib.import_module("orchestrators.questions")
        app.register_functions(questions.blueprint_with(app.get_agent))
        return {str(f.get_function_name()): f.get_user_function() for f in app.get_functions()}

    return by_name


@pytest.fixture(scope="session")
def indexed(index: Callable[[], Any]) -> dict[str, Callable[[Any], str]]:
    """The orchestrators of today by name."""
    return index()


@pytest.fixture
def history(indexed: dict[str, Callable[[Any], str]]) -> Callable[..., History]:
    """Makes the history of an orchestrator: its name, its input and its version."""
    return lambda name, given=None, version=VERSION: History(indexed[name], given, version)


@pytest.fixture
def play(history: Callable[..., History]) -> Callable[..., Play]:
    """Makes a play: the orchestrator's name, its input, the cast, and its version."""
    return lambda name, given, cast, version=VERSION: Play(history(name, given, version), cast)


@pytest.fixture
def perform(play: Callable[..., Play], short_day: None) -> Callable[..., Play]:
    """Plays a story to its end, by the name of its orchestrator."""

    def to_the_end(name: str, cast: Cast, version: str | None = VERSION) -> Play:
        played = play(name, cast.ORDER, cast, version)
        played.run()
        return played

    return to_the_end
