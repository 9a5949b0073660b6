"""The turns of orchestrations: which messages an episode gets, and what the app makes of it."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from devhost.app import Answer, App, Call
from devhost.clock import Clock
from devhost.commits import Change, Commits
from devhost.episode import Episode, OrchestratorFailed, Outcome, Snapshot, failure_state
from devhost.errors import CallLost
from devhost.history import Kind
from devhost.instance import Instance, Message

_ATTEMPTS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What orchestrations may take.

    Attributes:
        episode_seconds: The longest that an orchestrator may run without yielding.
        custom_status_bytes: The largest custom status, in bytes of UTF-16.
        episodes: How many orchestrators run at a time.
        activities: How many activities run at a time.
        entities: How many entities run at a time.
    """

    episode_seconds: float = 60.0
    custom_status_bytes: int = 16 * 1024
    episodes: int = 8
    activities: int = 64
    entities: int = 32


class Turns:
    """Gives instances their turns, one at a time for each instance."""

    def __init__(self, commits: Commits, app: App, clock: Clock, limits: Limits) -> None:
        self._commits = commits
        self._app = app
        self._clock = clock
        self._limits = limits
        self._calls: set[asyncio.Task[Answer]] = set()

    async def run(self) -> None:
        """Run turns one after the other until cancelled."""
        mailboxes = self._commits.mailboxes
        while True:
            instance_id, messages = await mailboxes.next()
            held: Sequence[Message] = ()
            try:
                held = await self._turn(instance_id, messages)
            except Exception:  # noqa: BLE001 - a fault in one turn must not end all others
                fault = traceback.format_exc()
                self._commits.console.line(f"{instance_id} lost its turn\n{fault}")
            mailboxes.end(instance_id, held)

    async def _turn(self, instance_id: str, messages: Sequence[Message]) -> Sequence[Message]:
        snapshot = await self._commits.snapshots.get(instance_id)
        if snapshot is None or snapshot.instance.over:
            await self._commits.discard(messages)
            return ()
        execution = snapshot.instance.execution
        wanted = [m for m in messages if m.execution in (None, execution)]
        if len(wanted) < len(messages):
            await self._commits.discard([m for m in messages if m not in wanted])
        # Whatever overtook it, an execution begins with its start.
        wanted.sort(key=lambda m: m.event["EventType"] != Kind.ExecutionStarted)
        return await self._respond(snapshot, wanted) if wanted else ()

    async def _respond(self, before: Snapshot, messages: Sequence[Message]) -> Sequence[Message]:
        if end := _first(messages, Kind.ExecutionTerminated):
            outcome = self._episode(before, [end]).terminate(end.event["Input"])
            return await self._commit(before, outcome, messages)
        if before.instance.status == "Suspended":
            resume = _first(messages, Kind.ExecutionResumed)
            if resume is None:
                return messages
            messages = [resume, *(m for m in messages if m is not resume)]
        elif pause := _first(messages, Kind.ExecutionSuspended):
            outcome = self._episode(before, [pause]).suspend()
            await self._commit(before, outcome, [pause])
            return [m for m in messages if m is not pause]
        outcome = await self._play(before.instance, self._episode(before, messages))
        if outcome is None:
            return messages
        return await self._commit(before, outcome, messages)

    async def _commit(
        self, before: Snapshot, outcome: Outcome, delivered: Sequence[Message]
    ) -> Sequence[Message]:
        await self._commits.commit(Change(before=before, outcome=outcome, delivered=delivered))
        return ()

    def _episode(self, before: Snapshot, messages: Sequence[Message]) -> Episode:
        return Episode(before, [message.event for message in messages], self._clock.now())

    async def _play(self, instance: Instance, episode: Episode) -> Outcome | None:
        """Return what the app makes of an episode; None if the instance is to be ended instead."""
        function = self._app.catalogue.orchestrator(instance.name)
        if function is None:
            return episode.fail("the app has no such function any more")
        call = Call(
            function=function.name,
            body=episode.context(),
            attempts=_ATTEMPTS,
            seconds=self._limits.episode_seconds,
        )
        try:
            answer = await self._unless_ended(instance.id, self._app.call(call))
            if answer is None:
                return None
            state = _state(answer)
        except (CallLost, OrchestratorFailed) as error:
            return episode.fail(str(error))
        return episode.conclude(state, self._app.catalogue, self._limits.custom_status_bytes)

    async def _unless_ended(
        self, instance_id: str, call: Coroutine[Any, Any, Answer]
    ) -> Answer | None:
        # An orchestrator that spins keeps its thread until its time is up, but not its instance.
        calling = asyncio.create_task(call)
        self._calls.add(calling)
        calling.add_done_callback(self._forget)
        ended = self._commits.mailboxes.ended(instance_id)
        await asyncio.wait((calling, ended), return_when=asyncio.FIRST_COMPLETED)
        return calling.result() if calling.done() else None

    def _forget(self, call: asyncio.Task[Answer]) -> None:
        self._calls.discard(call)
        if not call.cancelled():
            # Once it was looked at, asyncio doesn't report a failure that nobody waits for.
            call.exception()


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
