"""One turn of an orchestration: what the app is shown, and what its answer leads to."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from devhost.durable.action import ReplayFailed
from devhost.durable.answer import OrchestratorFailed, custom_status
from devhost.durable.decisions import Work
from devhost.durable.failures import failure_details
from devhost.durable.history import (
    OWN,
    Event,
    Kind,
    as_new,
    as_played,
    as_read,
    compact,
    event,
    parse,
    timer_created,
)
from devhost.durable.instance import STATUS_CODES, Parent, Status, started
from devhost.durable.outcome import Outcome
from devhost.durable.plan import NonDeterministic, Plan
from devhost.durable.refusals import Refusals
from devhost.durable.replay import Replay
from devhost.durable.snapshot import Snapshot
from devhost.functions.catalogue import Catalogue
from devhost.time.clock import read_stamp, stamp

# The SDK answers in the latest schema that it knows, which is V3 (2). The limits of timers are
# those of Azure Storage: with them the app meets the SDK's long timers here as it does there.
_SETTINGS = (
    '"upperSchemaVersion":1,"upperSchemaVersionNew":3,'
    '"longRunningTimerIntervalDuration":"3.00:00:00",'
    '"maximumShortTimerDuration":"6.00:00:00",'
    '"defaultHttpAsyncRequestSleepTimeMillseconds":30000'
)


class Episode:
    """One turn of one instance.

    Args:
        before: The instance and its history until now.
        messages: The events that wake it.
        now: The time of the turn; it is moved forward to that of any timer that has fired.
    """

    def __init__(self, before: Snapshot, messages: Sequence[Event], now: datetime) -> None:
        self._before = before
        self._instance = before.instance
        due = [read_stamp(message["FireAt"]) for message in messages if "FireAt" in message]
        self._now = max(now, read_stamp(before.instance.updated), *due)
        began = event(Kind.OrchestratorStarted, self._now)
        self._events = [began, *map(self._as_made, messages)]

    def context(self) -> bytes:
        """Return the JSON text that the SDK's orchestrator handle takes."""
        own = self._instance
        history = as_read((*self._before.episodes, as_new(self._events)))
        parent = json.dumps(own.parent.id if own.parent else None)
        return (
            f'{{"history":[{history}],"input":{own.input or "null"},"sourceInstanceId":null,'
            f'"instanceId":{json.dumps(own.id)},"parentInstanceId":{parent},'
            f'"isReplaying":{json.dumps(bool(self._before.episodes))},{_SETTINGS}}}'
        ).encode()

    def conclude(self, state: dict[str, Any], catalogue: Catalogue, status_bytes: int) -> Outcome:
        """Return what follows from the SDK's answer.

        Args:
            state: The answer: `actions`, `isDone`, `output`, `error`, `customStatus`.
            catalogue: The functions that there are.
            status_bytes: The largest custom status, in bytes of UTF-16.
        """
        ended = bool(state.get("isDone")) or "error" in state
        try:
            status = custom_status(state, status_bytes)
            refusal = Refusals(self._instance, catalogue).reason
            plan = Replay(state["actions"][0], ended=ended, refusal=refusal).run(
                [*parse(self._before.episodes), *self._events]
            )
        except NonDeterministic as error:
            return self._end("Failed", str(error))
        except (ReplayFailed, OrchestratorFailed) as error:
            return self.fail(str(error))
        work = Work(self._instance, self._now)
        work.add(plan.decisions)
        if plan.forced:
            self._events[0][OWN] = {"Forced": plan.forced}
        self._events += work.events
        self._instance = replace(
            self._instance, status="Running", custom_status=status or self._custom_status
        )
        return self._next(plan, work, state)

    def _as_made(self, message: Event) -> Event:
        # A timer's message is made with the timer, and says when it is due; it may come early.
        if message["EventType"] != Kind.TimerFired:
            return message
        timer = timer_created(self._before.episodes, message["TimerId"])
        return message | {key: timer[key] for key in ("Timestamp", "FireAt")} if timer else message

    @property
    def _custom_status(self) -> str | None:
        return self._before.instance.custom_status

    def _next(self, plan: Plan, work: Work, state: dict[str, Any]) -> Outcome:
        if not plan.finished:
            return self._wait(plan, work)
        if "error" in state:
            return self.fail(state["error"], work)
        if plan.successor is not None:
            return self._continue_as_new(plan, work, plan.successor)
        return self._end("Completed", compact(state.get("output")), work)

    def _wait(self, plan: Plan, work: Work) -> Outcome:
        return Outcome(
            after=self._after(),
            activities=work.activities,
            timers=work.timers,
            children=work.children,
            requests=work.requests,
            notes=[f"waits for ever: {reason}" for reason in plan.refused],
        )

    def _continue_as_new(self, plan: Plan, work: Work, successor: str) -> Outcome:
        own = replace(
            self._instance,
            execution=uuid.uuid4().hex,
            input=json.dumps(successor),
            created=stamp(self._now),
            updated=stamp(self._now),
            episodes=0,
        )
        return Outcome(
            after=Snapshot(own),
            requests=work.requests,
            messages=[
                started(own, self._now),
                *plan.carried,
                event(Kind.OrchestratorCompleted, self._now),
            ],
            notes=["ContinuedAsNew"],
            replaced=True,
        )

    def fail(self, reason: str, work: Work | None = None) -> Outcome:
        """Return the outcome of an orchestrator that raised, or that can't be run."""
        output = f"Orchestrator function '{self._instance.name}' failed: {reason}"
        return self._end("Failed", output, work)

    def fail_unanswered(self, reason: str) -> Outcome:
        """Return the outcome of an orchestrator that raised without telling its actions.

        For the extension it then has none, and what its history has of them fits no more: of that
        the instance's output tells, and not of what was raised.
        """
        try:
            Replay([], ended=True).run([*parse(self._before.episodes), *self._events])
        except NonDeterministic as error:
            return self._end("Failed", str(error))
        return self.fail(reason)

    def terminate(self, reason: str) -> Outcome:
        """Return the outcome of being terminated; no user code has a say in it."""
        return self._end("Terminated", reason)

    def suspend(self) -> Outcome:
        """Return the outcome of being suspended."""
        self._instance = replace(self._instance, status="Suspended")
        return Outcome(after=self._after())

    def _end(self, status: Status, output: str, work: Work | None = None) -> Outcome:
        code = STATUS_CODES[status]
        self._events.append(
            event(Kind.ExecutionCompleted, self._now, OrchestrationStatus=code, Result=output)
        )
        self._instance = replace(self._instance, status=status, output=output)
        return Outcome(
            after=self._after(),
            requests=work.requests if work else (),
            notice=self._notice(),
        )

    def _notice(self) -> tuple[Parent, Event] | None:
        own = self._instance
        if own.parent is None:
            return None
        fields: dict[str, Any] = {"Result": own.output}
        if own.status == "Completed":
            kind = Kind.SubOrchestrationInstanceCompleted
        else:
            details = failure_details("System.Exception", own.output or "")
            kind = Kind.SubOrchestrationInstanceFailed
            fields = {"Reason": own.output, "Details": details}
        return own.parent, event(kind, self._now, TaskScheduledId=own.parent.task, **fields)

    def _after(self) -> Snapshot:
        self._events.append(event(Kind.OrchestratorCompleted, self._now))
        own = replace(
            self._instance, updated=stamp(self._now), episodes=self._before.instance.episodes + 1
        )
        return Snapshot(own, (*self._before.episodes, as_played(self._events)))
