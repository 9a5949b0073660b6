"""The turns of orchestrations: messages in, an episode run, and what follows from it committed."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from devhost.alarms import Alarms
from devhost.app import Answer, App, Call
from devhost.births import Births, newborn
from devhost.clock import Clock
from devhost.console import Console
from devhost.episode import Episode, OrchestratorFailed, Outcome, Snapshot, failure_state
from devhost.errors import CallLost, InstanceExists
from devhost.history import Event, Kind, event
from devhost.instance import Child, Instance, Message
from devhost.labour import Labour
from devhost.mailboxes import Mailboxes
from devhost.snapshots import Snapshots
from devhost.statements import (
    Statement,
    append_history,
    drop_history,
    drop_messages,
    drop_timers,
    drop_work,
    put_activity,
    put_instance,
    put_message,
    put_timer,
)
from devhost.store import Store

_ATTEMPTS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What orchestrations may take.

    Attributes:
        episode_seconds: The longest that an orchestrator may run without yielding.
        custom_status_bytes: The largest custom status, in bytes of UTF-16.
        episodes: How many orchestrators run at a time.
        activities: How many activities run at a time.
    """

    episode_seconds: float = 60.0
    custom_status_bytes: int = 16 * 1024
    episodes: int = 8
    activities: int = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """The parts that turns start work in."""

    store: Store
    mailboxes: Mailboxes
    snapshots: Snapshots
    births: Births
    labour: Labour
    alarms: Alarms


class Turns:
    """Gives instances their turns, one at a time for each instance."""

    def __init__(
        self, parts: Parts, *, app: App, clock: Clock, console: Console, limits: Limits
    ) -> None:
        self._parts = parts
        self._app = app
        self._clock = clock
        self._console = console
        self._limits = limits

    async def run(self) -> None:
        """Run turns one after the other until cancelled."""
        while True:
            instance_id, messages = await self._parts.mailboxes.next()
            held: Sequence[Message] = ()
            try:
                held = await self._turn(instance_id, messages)
            except Exception:  # noqa: BLE001 - a fault in one turn must not end all others
                self._console.line(f"{instance_id} turn failed\n{traceback.format_exc()}")
            self._parts.mailboxes.end(instance_id, held)

    async def _turn(self, instance_id: str, messages: Sequence[Message]) -> Sequence[Message]:
        snapshot = await self._parts.snapshots.get(instance_id)
        if snapshot is None or snapshot.instance.over:
            self._parts.store.commit([drop_messages(messages)])
            return ()
        wanted = [m for m in messages if m.execution in (None, snapshot.instance.execution)]
        if len(wanted) < len(messages):
            self._parts.store.commit([drop_messages(m for m in messages if m not in wanted)])
        # Whatever overtook it, an execution begins with its start.
        wanted.sort(key=lambda m: m.event["EventType"] != Kind.ExecutionStarted)
        return await self._respond(snapshot, wanted) if wanted else ()

    async def _respond(self, before: Snapshot, messages: Sequence[Message]) -> Sequence[Message]:
        if end := _first(messages, Kind.ExecutionTerminated):
            episode = self._episode(before, [end])
            await self._commit(before, episode.terminate(end.event["Input"]), messages)
            return ()
        if before.instance.status == "Suspended":
            resume = _first(messages, Kind.ExecutionResumed)
            if resume is None:
                return messages
            messages = [resume, *(m for m in messages if m is not resume)]
        elif pause := _first(messages, Kind.ExecutionSuspended):
            await self._commit(before, self._episode(before, [pause]).suspend(), [pause])
            return [m for m in messages if m is not pause]
        outcome = await self._play(before.instance, self._episode(before, messages))
        await self._commit(before, outcome, messages)
        return ()

    def _episode(self, before: Snapshot, messages: Sequence[Message]) -> Episode:
        return Episode(before, [message.event for message in messages], self._clock.now())

    async def _play(self, instance: Instance, episode: Episode) -> Outcome:
        function = self._app.catalogue.orchestrator(instance.name)
        if function is None:
            return episode.fail("the app has no such function any more")
        try:
            answer = await self._app.call(
                Call(
                    function=function.name,
                    body=episode.context(),
                    attempts=_ATTEMPTS,
                    seconds=self._limits.episode_seconds,
                )
            )
            state = _state(answer)
        except (CallLost, OrchestratorFailed) as error:
            return episode.fail(str(error))
        return episode.conclude(state, self._app.catalogue, self._limits.custom_status_bytes)

    async def _commit(
        self, before: Snapshot, outcome: Outcome, delivered: Sequence[Message]
    ) -> None:
        parts, own = self._parts, outcome.after.instance
        children, refusals = await self._reserve(outcome.children)
        try:
            births = [self._newborn(child) for child in children]
            messages = [
                *(parts.mailboxes.address(own.id, e, own.execution) for e in outcome.messages),
                *(parts.mailboxes.address(own.id, e, own.execution) for e in refusals),
                *(parts.mailboxes.address(born.id, e, born.execution) for born, e in births),
            ]
            if outcome.notice:
                parent, told = outcome.notice
                messages.append(parts.mailboxes.address(parent.id, told, parent.execution))
            statements = [
                *_changes(before, outcome, delivered),
                *(s for born, _ in births for s in replace_by(born)),
                *map(put_message, messages),
            ]
            await parts.store.commit(statements)
        finally:
            for child in children:
                parts.births.release(child.id)
        for born, _ in births:
            parts.snapshots.put(Snapshot(born))
        self._follow(before.instance, outcome, messages)

    def _follow(self, before: Instance, outcome: Outcome, messages: Sequence[Message]) -> None:
        parts = self._parts
        parts.snapshots.put(outcome.after)
        for activity in outcome.activities:
            parts.labour.start(activity)
        parts.alarms.expect(outcome.timers)
        parts.mailboxes.deliver(messages)
        self._tell(before, outcome)

    def _tell(self, before: Instance, outcome: Outcome) -> None:
        own = outcome.after.instance
        for note in outcome.notes:
            self._console.line(f"{own.name} {own.id} {note}")
        if outcome.restarted:
            self._console.line(f"{own.name} {own.id} ContinuedAsNew")
        elif own.status != before.status:
            reason = f": {own.output}" if own.status in ("Failed", "Terminated") else ""
            self._console.line(f"{own.name} {own.id} {own.status}{reason}")

    async def _reserve(self, children: Iterable[Child]) -> tuple[list[Child], list[Event]]:
        reserved, refusals = [], []
        for child in children:
            try:
                # An id made from the parent's execution and the task's can't have been used.
                if child.explicit:
                    await self._parts.births.reserve(child.id)
            except InstanceExists as exists:
                refusals.append(self._refusal(child, str(exists)))
            else:
                reserved.append(child)
        return reserved, refusals

    def _refusal(self, child: Child, reason: str) -> Event:
        return event(
            Kind.SubOrchestrationInstanceFailed,
            self._clock.now(),
            TaskScheduledId=child.parent.task,
            Reason=f"Sub-orchestration '{child.id}' was not started: {reason}",
            Details="",
        )

    def _newborn(self, child: Child) -> tuple[Instance, Event]:
        return newborn(
            id=child.id,
            name=child.name,
            version=child.version,
            input=child.input,
            now=self._clock.now(),
            parent=child.parent,
        )


def _state(answer: Answer) -> dict[str, Any]:
    if answer.error is not None:
        return failure_state(answer.error)
    try:
        state = json.loads(answer.body)
        return {**state, "actions": state["actions"][:1] or [[]]}
    except (ValueError, TypeError, KeyError):
        raise OrchestratorFailed("what it returned is not an orchestrator's state") from None


def _first(messages: Iterable[Message], kind: Kind) -> Message | None:
    return next((m for m in messages if m.event["EventType"] == kind), None)


def _changes(before: Snapshot, outcome: Outcome, delivered: Sequence[Message]) -> list[Statement]:
    own = outcome.after.instance
    changes = [put_instance(own), drop_messages(delivered)]
    if outcome.restarted:
        return [*changes, drop_history(own.id), *drop_work(own.id)]
    episode = before.instance.episodes
    changes.append(append_history(own.id, episode, outcome.after.episodes[-1]))
    if own.over:
        # What has completed left nothing open; late messages are dropped when their turn comes.
        return changes if own.status == "Completed" else [*changes, *drop_work(own.id)]
    changes += map(put_activity, outcome.activities)
    changes += map(put_timer, outcome.timers)
    if outcome.cancelled:
        changes.append(drop_timers(own.id, own.execution, outcome.cancelled))
    return changes
