"""What orchestrators make of an instance that waits, and whether it gets to its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

import azure.functions as func
from azure.durable_functions.models.actions.ActionType import ActionType

from devhost.durable import entity
from devhost.durable.history import Event, Kind, event
from devhost.durable.plan import Decision, Plan
from devhost.durable.replay import Replay
from devhost.time.clock import read_stamp
from testbed.waiting import Waiting, name_of, request_in, start_of, unanswered

GATE = "approval_gate"
MOST_TURNS = 30
RECORD = "python3 dev.py test tests/replay/recorded/record.py"

Code: TypeAlias = Mapping[str, Callable[[Any], str]]
"""Orchestrators by name, as the worker calls them."""

ENDS = {
    Kind.TaskScheduled: (Kind.TaskCompleted, "TaskScheduledId"),
    Kind.SubOrchestrationInstanceCreated: (
        Kind.SubOrchestrationInstanceCompleted,
        "TaskScheduledId",
    ),
    Kind.TimerCreated: (Kind.TimerFired, "TimerId"),
}
ANSWERS: dict[str, Any] = {
    "plan_research": {"subtopics": 2},
    "research_subtopic": {},
    "check_facts": {"approved": True, "again": []},
    "write_draft": {},
    "open_proposal": {"version": 1},
    "settle_proposal": {"next": "publish"},
    "approval_gate": {"next": "publish"},
    "publish_report": {"published": True},
    "prepare_order": {},
    "submit_order": {"published": True},
    "close_operation": {"outcome": "published"},
    "settle_question": {"settled": True},
    "dafx-factchecker": {},
}
OUTPUTS: dict[str, Any] = {
    "research": {"outcome": "published"},
    "purchase": {"outcome": "published"},
    "approval_gate": {"next": "publish"},
    "answer_question": None,
}
"""What each orchestrator comes to if everything that it asks for is answered so."""


def answer_to(name: str) -> Any:
    """What a call is answered as the instance goes on."""
    assert name in ANSWERS, (
        f"it goes on with a call of {name!r}, to which ANSWERS in {Path(__file__).name} has no"
        " answer. If an instance that waits by now may well make that call, give it one"
    )
    return ANSWERS[name]


class Broken(AssertionError):
    """A waiting instance can't go on in the code of today."""

    def __init__(self, waiting: Waiting, why: str, state: Mapping[str, Any] | None = None) -> None:
        asked = "\n".join(f"  {line}" for line in waiting.asked())
        wanted = "\n".join(f"  {line}" for line in wants(state)) if state else "  nothing"
        super().__init__(
            f"{waiting} can't go on in today's code: {why}\n\n"
            f"It is recorded as having asked for\n{asked}\n"
            f"Today's code asks for\n{wanted}\n\n"
            f"Wherever version {waiting.version} runs, an approval may be waiting like this. Keep"
            " the old path behind a branch on `context.version`, raise `defaultVersion` in"
            f" host.json and record the new version with `{RECORD}`; see"
            " docs/decisions/0008-upgrades-of-waiting-approvals.md. Never record an old version"
            " anew to silence this test."
        )


def wants(state: Mapping[str, Any]) -> Iterator[str]:
    """What an orchestrator asks for, a line each."""
    for action in singles(state["actions"][0]):
        about = (
            action.get(key) for key in ("functionName", "instanceId", "externalEventName", "fireAt")
        )
        yield " ".join([ActionType(action["actionType"]).name, *filter(None, about)])


def singles(actions: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for action in actions:
        if "compoundActions" in action:
            yield from singles(action["compoundActions"])
        else:
            yield action


def answer(code: Code, events: list[Event]) -> dict[str, Any]:
    """What the orchestrator answers to a history.

    Raises:
        Exception: the orchestrator fails; the SDK raises nothing more specific.
    """
    began = start_of(events)
    parent = began["ParentInstance"]
    body = {
        "history": events,
        "input": json.loads(began["Input"]),
        "instanceId": began["OrchestrationInstance"]["InstanceId"],
        "parentInstanceId": parent and parent["OrchestrationInstance"]["InstanceId"],
        "isReplaying": True,
        "sourceInstanceId": None,
        "upperSchemaVersion": 1,
        "upperSchemaVersionNew": 3,
        "maximumShortTimerDuration": "6.00:00:00",
        "longRunningTimerIntervalDuration": "3.00:00:00",
    }
    return json.loads(code[began["Name"]](func.OrchestrationContext(json.dumps(body))))


def plan(state: Mapping[str, Any], events: list[Event]) -> Plan:
    """What a host would do about an answer to this history.

    Raises:
        ReplayFailed: the answer does not lead to it.
    """
    return Replay(state["actions"][0], ended=state["isDone"]).run(events)


def check(waiting: Waiting, code: Code) -> None:
    """Let an instance wake up to no news; it has to wait for the same as before.

    The SDK doesn't compare names. What the durable extension compares (kind, name and order of
    what was asked for) the local host's replay does; the ids of children and entities come on top.

    Raises:
        Broken: it doesn't.
    """
    state = None
    try:
        state = answer(code, waiting.events)
        new = plan(state, waiting.events).decisions
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        raise failed(waiting, error, state) from None
    if new or state["isDone"]:
        names = ", ".join(each.name or each.kind.name for each in new) or "the end"
        raise Broken(waiting, f"without any news it goes on to {names}.", state)
    if children(waiting.events) != children(singles(state["actions"][0])):
        raise Broken(waiting, "its children or entities have other ids.", state)


def failed(waiting: Waiting, error: Exception, state: Mapping[str, Any] | None) -> Broken:
    """What the failure of an orchestrator, or of its replay, means for an instance."""
    why, _, behind = str(error).partition("\n\n$OutOfProcData$:")
    cause = f"it fails with {error.__cause__!r}" if behind else why
    return Broken(waiting, cause, json.loads(behind) if behind else state)


def children(asked: Iterable[Mapping[str, Any]]) -> list[str]:
    """The ids of sub-orchestrations and entities, each once however often it was tried."""
    ids = (each.get("InstanceId") or each.get("instanceId") for each in asked)
    return list(dict.fromkeys(filter(None, ids)))


class Continuation:
    """Carries a waiting instance on to its end; everything that it asks for goes well.

    Args:
        waiting: the instance.
        code: the orchestrators.
        rung: whether a gate is woken by a ring; else by its timer.
    """

    def __init__(self, waiting: Waiting, code: Code, *, rung: bool) -> None:
        self._waiting, self._code, self._rung = waiting, code, rung
        self._events = list(waiting.events)
        self._now = read_stamp(self._events[-1]["Timestamp"])

    def run(self) -> Any:
        """Go on to the end; returns the instance's output.

        Raises:
            Broken: it fails, or comes to no end.
        """
        state = None
        try:
            for _ in range(MOST_TURNS):
                state = answer(self._code, self._events)
                if state["isDone"]:
                    return state.get("output")
                self._go_on(plan(state, self._events))
        except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
            raise failed(self._waiting, error, state) from None
        raise Broken(self._waiting, "nothing that it waits for brings it to an end.", state)

    def _go_on(self, plan: Plan) -> None:
        self._keep(plan)
        self._deliver(plan)

    def _add(self, kind: Kind, event_id: int = -1, **fields: Any) -> None:
        self._events.append(event(kind, self._now, event_id, **fields))

    def _keep(self, plan: Plan) -> None:
        for each in plan.decisions:
            self._add(
                each.kind,
                each.id,
                Name=each.name,
                InstanceId=each.action.get("instanceId"),
                FireAt=each.fire_at,
                Input=json.dumps(request_for(each, self._now)),
            )
        self._add(Kind.OrchestratorCompleted)

    def _deliver(self, plan: Plan) -> None:
        asked = next(e for e in unanswered(self._events) if e["EventId"] not in plan.cancelled)
        self._now += timedelta(days=5)
        self._add(Kind.OrchestratorStarted)
        if asked["EventType"] == Kind.EventSent:
            self._reply(asked)
            return
        kind, key = ENDS[Kind(asked["EventType"])]
        if kind != Kind.TimerFired:
            self._add(kind, Result=json.dumps(answer_to(asked["Name"])), **{key: asked["EventId"]})
        elif self._rung and start_of(self._events)["Name"] == GATE:
            self._add(Kind.EventRaised, Name="ApprovalDecision", Input='{"sequence": 9}')
        else:
            self._add(kind, FireAt=asked["FireAt"], **{key: asked["EventId"]})

    def _reply(self, sent: Event) -> None:
        result = json.dumps(answer_to(name_of(sent)))
        self._events.append(entity.answer(request_in(sent)["id"], result, self._now))


def request_for(decision: Decision, now: datetime) -> dict[str, Any]:
    """What a host would send an entity; of no meaning for anything else that is asked for."""
    action = decision.action
    return entity.request(
        action.get("operation", ""),
        json.dumps(action.get("input")),
        id=f"request-{decision.id}",
        now=now,
        signal=action.get("actionType") == ActionType.SIGNAL_ENTITY,
    )


def every_way(waiting: Waiting, code: Code) -> list[Any]:
    """Carry an instance on in every way that it can be woken; returns its outputs.

    Raises:
        Broken: one of them leads to no end.
    """
    ways = [True, False] if waiting.orchestrator == GATE else [False]
    return [Continuation(waiting, code, rung=rung).run() for rung in ways]
