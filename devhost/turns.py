"""The turns of orchestrations: which messages an episode gets, and what the app makes of it."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from devhost.app import Answer, App, Call
from devhost.clock import Clock
from devhost.commits import Commits
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
    """

    episode_seconds: float = 60.0
    custom_status_bytes: int = 16 * 1024
    episodes: int = 8
    activities: int = 64


class Turns:
    """Gives instances their turns, one at a time for each instance."""

    def __init__(self, commits: Commits, app: App, clock: Clock, limits: Limits) -> None:
        self._commits = commits
        self._app = app
        self._clock = clock
        self._limits = limits

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
            await self._commits.commit(before, outcome, messages)
            return ()
        if before.instance.status == "Suspended":
            resume = _first(messages, Kind.ExecutionResumed)
            if resume is None:
                return messages
            messages = [resume, *(m for m in messages if m is not resume)]
        elif pause := _first(messages, Kind.ExecutionSuspended):
            outcome = self._episode(before, [pause]).suspend()
            await self._commits.commit(before, outcome, [pause])
            return [m for m in messages if m is not pause]
        outcome = await self._play(before.instance, self._episode(before, messages))
        await self._commits.commit(before, outcome, messages)
        return ()

    def _episode(self, before: Snapshot, messages: Sequence[Message]) -> Episode:
        return Episode(before, [message.event for message in messages], self._clock.now())

    async def _play(self, instance: Instance, episode: Episode) -> Outcome:
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
            state = _state(await self._app.call(call))
        except (CallLost, OrchestratorFailed) as error:
            return episode.fail(str(error))
        return episode.conclude(state, self._app.catalogue, self._limits.custom_status_bytes)


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
