"""Executions that the genuine Durable extension ran, turn by turn; see tests/replay/genuine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import azure.functions as func

from devhost.durable.answer import OrchestratorFailed, failure_state
from devhost.durable.history import Event, Kind
from devhost.durable.plan import Decision, Plan
from devhost.durable.replay import Replay
from testbed.waiting import SCHEDULED

RECORDINGS = Path(__file__).parent.parent.parent / "replay" / "genuine" / "azure-storage"
ARRIVALS = {
    Kind.TaskCompleted,
    Kind.TaskFailed,
    Kind.SubOrchestrationInstanceCompleted,
    Kind.SubOrchestrationInstanceFailed,
    Kind.TimerFired,
    Kind.EventRaised,
}
"""What comes to an instance from outside and may come twice or late."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the extension did in one call of the worker.

    Attributes:
        messages: what was new to the worker, after the event that began the turn.
        written: what the extension wrote into the history for the worker's answer; None for the
            last turn, of which only the answer is known.
        suspended: whether the instance was suspended, so that the answer was dropped.
    """

    began: Event
    messages: tuple[Event, ...]
    written: tuple[Event, ...] | None
    suspended: bool = False

    @property
    def shown(self) -> tuple[Event, ...]:
        """What was new to the worker as it was shown then."""
        return self.began, *({**each, "IsPlayed": False} for each in self.messages)

    @property
    def asked(self) -> list[Event]:
        """What the orchestrator asked for."""
        return [each for each in self.written or () if each["EventType"] in SCHEDULED]

    @property
    def kept(self) -> tuple[Event, ...]:
        """The turn in the history of all turns after it."""
        return self.began, *self.messages, *(self.written or ())


@dataclass(frozen=True, slots=True)
class Execution:
    """One execution of an orchestrator.

    Attributes:
        name: of its file.
        context: what the extension sent besides the history.
        state: what the worker answered at last; of an error that the SDK didn't put into a state,
            its text under "error".
        turns: all turns, in order.
    """

    name: str
    context: dict[str, Any]
    state: dict[str, Any]
    turns: tuple[Turn, ...]

    def __str__(self) -> str:
        return self.name

    @property
    def orchestrator(self) -> str:
        """The name of the orchestrator."""
        return self.turns[0].messages[0]["Name"]

    def history(self, turns: int) -> list[Event]:
        """What is kept of the first so many turns."""
        return list(chain.from_iterable(turn.kept for turn in self.turns[:turns]))

    def shown(self, turn: int) -> list[Event]:
        """The history as the worker was shown it in a turn, counted from 0."""
        return [*self.history(turn), *self.turns[turn].shown]

    def replay(self, code: Callable[[Any], str], since: int = 0) -> None:
        """Have an orchestrator replay every turn, and the local host's replay follow its answers.

        Args:
            code: the orchestrator.
            since: the first turn; those before it are only history.

        Raises:
            AssertionError: something follows that is not recorded.
        """
        for number, turn in enumerate(self.turns[since:], since):
            history = self.shown(number)
            state = self.answer(code, history)
            if turn.written is None:
                assert meaning(state, history) == meaning(self.state, history)
            elif not turn.suspended:
                plan = planned(state, history)
                assert [*map(decided, plan.decisions)] == [*map(scheduled, turn.asked)]
                assert not plan.finished

    def answer(self, code: Callable[[Any], str], history: Sequence[Event]) -> dict[str, Any]:
        """What an orchestrator answers if this execution has this history, as `state` has it."""
        replaying = history[1]["IsPlayed"]
        body = {**self.context, "history": history, "isReplaying": replaying}
        try:
            return json.loads(code(func.OrchestrationContext(json.dumps(body))))
        except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
            return state_of(str(error))


def state_of(error: str) -> dict[str, Any]:
    """The state that an orchestrator's exception carries; else its text under "error"."""
    try:
        return failure_state(error)
    except OrchestratorFailed:
        return {"error": error}


def calls(kind: str) -> list[dict[str, Any]]:
    """The recorded calls of a kind: activity, entity or management."""
    lines = (RECORDINGS / "calls.jsonl").read_text("utf-8").splitlines()
    return [call for call in map(json.loads, lines) if call["kind"] == kind]


@cache
def executions() -> tuple[Execution, ...]:
    """All recorded executions."""
    return tuple(map(execution, sorted(RECORDINGS.glob("*.json"))))


def execution(file: Path) -> Execution:
    """The execution that a file holds."""
    recorded = json.loads(file.read_text("utf-8"))
    context, answer = recorded["context"], recorded["answer"]
    history = context.pop("history")
    if "error" in answer:
        _, _, message = answer["error"]["message"].partition(": ")
        state = state_of(message)
    else:
        state = json.loads(answer["value"])
    return Execution(file.stem, context, state, tuple(turns_of(history)))


def turns_of(history: Sequence[Event]) -> Iterator[Turn]:
    """Divide a history into turns."""
    starts = [n for n, each in enumerate(history) if each["EventType"] == Kind.OrchestratorStarted]
    suspended = False
    for start, end in zip(starts, [*starts[1:], len(history)], strict=True):
        began, *events = history[start:end]
        kinds = [each["EventType"] for each in events]
        if Kind.ExecutionSuspended in kinds or Kind.ExecutionResumed in kinds:
            suspended = Kind.ExecutionSuspended in kinds
        first = len(events) if end == len(history) else first_written(kinds)
        written = tuple(events[first:]) or None
        yield Turn(began, tuple(events[:first]), written, suspended)


def first_written(kinds: Sequence[int]) -> int:
    """Where in a turn that is over the worker's answer begins.

    After continue-as-new the first messages end with an `OrchestratorCompleted` of their own.
    """
    return next((n for n, kind in enumerate(kinds) if kind in SCHEDULED), len(kinds) - 1)


def planned(state: Mapping[str, Any], history: Sequence[Event]) -> Plan:
    """What the local host's replay makes of an answer."""
    ended = bool(state.get("isDone")) or "error" in state
    return Replay(state["actions"][0], ended=ended).run(history)


def decided(decision: Decision) -> tuple[Any, ...]:
    """The kind, the id, the name and the target of what is to be scheduled."""
    target = decision.action.get("instanceId") or ""
    return decision.kind, decision.id, decision.name, target


def scheduled(event: Event) -> tuple[Any, ...]:
    """The same of what was scheduled."""
    target = event.get("InstanceId") or ""
    return event["EventType"], event["EventId"], event.get("Name") or "", target


def meaning(state: Mapping[str, Any], history: Sequence[Event]) -> tuple[Any, ...]:
    """What a host gets out of an answer, which is less than the answer says.

    No host compares when timers fire, how patiently is retried, or what somebody is told.
    """
    ends = state.get("isDone"), state.get("output"), state.get("error")
    if "actions" not in state:
        return ends
    plan = planned(state, history)
    new = [*map(decided, plan.decisions)]
    return (*ends, new, plan.cancelled, plan.finished, plan.successor)
