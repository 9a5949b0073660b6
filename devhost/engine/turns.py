"""The turns of orchestrations: which messages an episode gets, and what the app makes of it."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from devhost.app.calls import DURABLE_ATTEMPTS, Answer, App, Call
from devhost.durable.answer import OrchestratorFailed, failure_state
from devhost.durable.episode import Episode
from devhost.durable.history import Kind
from devhost.durable.instance import Instance, Message
from devhost.durable.outcome import Outcome
from devhost.durable.snapshot import Snapshot
from devhost.engine.commits import Change, Commits
from devhost.engine.succession import succeed
from devhost.engine.weather import Weather
from devhost.errors import CallLost
from devhost.time.clock import Clock

_SWITCHES = (Kind.ExecutionSuspended, Kind.ExecutionResumed)


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
    episodes: int = 5
    activities: int = 10
    entities: int = 32


class Turns:
    """Gives instances their turns, one at a time for each instance."""

    def __init__(
        self, commits: Commits, app: App, clock: Clock, limits: Limits, weather: Weather
    ) -> None:
        self._commits = commits
        self._app = app
        self._clock = clock
        self._limits = limits
        self._weather = weather
        self._calls: set[asyncio.Task[Answer]] = set()

    async def run(self) -> None:
        """Run turns one after the other until cancelled."""
        mailboxes = self._commits.mailboxes
        while True:
            instance_id, messages = await mailboxes.next()
            held: Sequence[Message] = ()
            try:
                held = await self._turn(instance_id, messages)
            except Exception:  # noqa: BLE001 - a fault in one commit must not end all other turns
                fault = traceback.format_exc()
                self._commits.console.line(f"{instance_id} lost its turn\n{fault}")
            mailboxes.end(instance_id, held)

    async def _turn(self, instance_id: str, messages: Sequence[Message]) -> Sequence[Message]:
        snapshot = await self._commits.snapshots.get(instance_id)
        snapshot, messages = await succeed(self._commits, snapshot, messages)
        if snapshot is None or snapshot.instance.over:
            await self._commits.discard(messages)
            return ()
        execution = snapshot.instance.execution
        mine = [m for m in messages if m.execution in (None, execution)]
        early = self._weather.premature(snapshot, mine)
        self._commits.mailboxes.put_off(early)
        wanted = _wanted(snapshot, [m for m in mine if m not in early])
        if unwanted := [m for m in messages if m not in wanted and m not in early]:
            await self._commits.discard(unwanted)
        return await self._respond(snapshot, wanted) if wanted else ()

    async def _respond(self, before: Snapshot, messages: Sequence[Message]) -> Sequence[Message]:
        if end := _first(messages, Kind.ExecutionTerminated):
            outcome = self._episode(before, [end]).terminate(end.event["Input"])
            return await self._commit(before, outcome, messages)
        switches = [m for m in messages if m.event["EventType"] in _SWITCHES]
        others = [m for m in messages if m not in switches]
        if _suspended(before.instance, switches):
            if switches:
                await self._commit(before, self._episode(before, switches).suspend(), switches)
            return others
        messages = [*switches, *others]
        outcome = await self._play(before, messages)
        if outcome is None:
            return messages
        return await self._commit(before, outcome, messages)

    async def _commit(
        self, before: Snapshot, outcome: Outcome, delivered: Sequence[Message]
    ) -> Sequence[Message]:
        change = Change(before=before, outcome=outcome, delivered=delivered)
        if not self._weather.sends_first:
            await self._commits.commit(change)
            return ()
        await self._commits.send(change)
        await self._weather.gap()
        if self._weather.loses_turn():
            self._commits.mailboxes.deliver(delivered)
        else:
            await self._commits.keep(change)
        return ()

    def _episode(self, before: Snapshot, messages: Sequence[Message]) -> Episode:
        return Episode(before, [message.event for message in messages], self._clock.now())

    async def _play(self, before: Snapshot, messages: Sequence[Message]) -> Outcome | None:
        """Return what the app makes of messages; None if the instance is to be ended instead."""
        episode = self._episode(before, messages)
        function = self._app.catalogue.orchestrator(before.instance.name)
        if function is None:
            missing = self._app.catalogue.missing("orchestrationTrigger", before.instance.name)
            return episode.fail(missing)
        call = Call(
            function=function.name,
            body=episode.context(),
            attempts=DURABLE_ATTEMPTS,
            seconds=self._limits.episode_seconds,
            waits_freely=True,
        )
        try:
            answer = await self._unless_ended(before.instance.id, self._app.call(call))
        except CallLost as lost:
            return episode.fail(str(lost))
        return answer and self._conclude(before, messages, episode, answer)

    def _conclude(
        self, before: Snapshot, messages: Sequence[Message], episode: Episode, answer: Answer
    ) -> Outcome:
        limit = self._limits.custom_status_bytes
        try:
            return episode.conclude(_state(answer), self._app.catalogue, limit)
        except OrchestratorFailed as failed:
            return episode.fail_unanswered(str(failed))
        except Exception as error:  # noqa: BLE001 - an answer that nobody foresaw is the app's
            fault = traceback.format_exc()
            self._commits.console.line(f"{before.instance.id} can't go on\n{fault}")
            # Half of what the answer asks for may be in the first one.
            anew = self._episode(before, messages)
            return anew.fail(f"the host can't carry this out: {error!r}")

    async def _unless_ended(
        self, instance_id: str, call: Coroutine[Any, Any, Answer]
    ) -> Answer | None:
        # An orchestrator that spins keeps its thread until its time is up, but not its instance.
        calling = asyncio.create_task(call)
        self._calls.add(calling)
        calling.add_done_callback(self._forget)
        ended = self._commits.mailboxes.ended(instance_id)
        try:
            await asyncio.wait((calling, ended), return_when=asyncio.FIRST_COMPLETED)
            return calling.result() if calling.done() else None
        finally:
            # Nobody waits for it any more; should its worker die, it must not be tried again.
            calling.cancel()

    def _forget(self, call: asyncio.Task[Answer]) -> None:
        self._calls.discard(call)
        if not call.cancelled():
            # Once it was looked at, asyncio doesn't report a failure that nobody waits for.
            call.exception()


def _wanted(before: Snapshot, messages: Sequence[Message]) -> list[Message]:
    """Return the messages that an execution can take in, each once; it begins with its start."""
    own = {message.number: message for message in messages}.values()
    starts = [m for m in own if m.event["EventType"] == Kind.ExecutionStarted]
    others = [m for m in own if m not in starts]
    if before.instance.episodes:
        return others
    if starts:
        return [starts[0], *others]
    return [m for m in others if m.event["EventType"] == Kind.ExecutionTerminated]


def _state(answer: Answer) -> dict[str, Any]:
    try:
        state = json.loads(answer.body) if answer.error is None else failure_state(answer.error)
        return {**state, "actions": state["actions"][:1] or [[]]}
    except (ValueError, TypeError, KeyError):
        raise OrchestratorFailed("what it returned is not an orchestrator's state") from None


def _suspended(instance: Instance, switches: Sequence[Message]) -> bool:
    if switches:
        return switches[-1].event["EventType"] == Kind.ExecutionSuspended
    return instance.status == "Suspended"


def _first(messages: Iterable[Message], kind: Kind) -> Message | None:
    return next((m for m in messages if m.event["EventType"] == kind), None)
