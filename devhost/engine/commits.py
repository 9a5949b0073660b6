"""Committing what an episode led to, and starting the work that follows from it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from devhost.console import Console
from devhost.durable.history import Kind
from devhost.durable.instance import Activity, Instance, Message, Timer
from devhost.durable.outcome import Outcome
from devhost.durable.snapshot import Snapshot
from devhost.engine.activities import Activities
from devhost.engine.admission import Admission, Admitted
from devhost.engine.durable_timers import DurableTimers
from devhost.engine.endings import Endings
from devhost.engine.mailboxes import Mailboxes
from devhost.engine.snapshots import Snapshots
from devhost.engine.weather import Weather
from devhost.state.statements import (
    Statement,
    append_history,
    drop_history,
    drop_messages,
    drop_work,
    put_activity,
    put_instance,
    put_message,
    put_timer,
)
from devhost.state.store import Store
from devhost.time.clock import Clock


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """What happens to one instance in a commit.

    Attributes:
        before: The instance and its history until now.
        outcome: What follows.
        delivered: The messages that led to it.
    """

    before: Snapshot
    outcome: Outcome
    delivered: Sequence[Message] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Outbound:
    """What follows from changes.

    Attributes:
        statements: What stores it.
        starts, messages, activities, timers: What begins once that is committed.
    """

    statements: list[Statement] = field(default_factory=list)
    starts: list[Instance] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    activities: list[Activity] = field(default_factory=list)
    timers: list[Timer] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class Commits:
    """Commits outcomes; nothing that follows from one begins before it is committed."""

    store: Store
    mailboxes: Mailboxes
    snapshots: Snapshots
    admission: Admission
    activities: Activities
    durable_timers: DurableTimers
    console: Console
    endings: Endings
    clock: Clock
    weather: Weather

    async def commit(self, *changes: Change) -> None:
        """Commit `changes` together, and the removal of the messages that led to them."""
        async with self._outbound(changes) as sent:
            kept = [statement for change in changes for statement in _kept(change)]
            await self.store.commit([*kept, *sent.statements])
        self._keep(changes)
        self._begin(sent)

    async def send(self, change: Change) -> None:
        """Commit what follows from a change, and begin it, whether or not `keep` comes."""
        async with self._outbound([change]) as sent:
            await self.store.commit(sent.statements)
        self._begin(sent)

    async def keep(self, change: Change) -> None:
        """Commit all else of a change that was sent."""
        await self.store.commit(_kept(change))
        self._keep([change])

    async def discard(self, messages: Sequence[Message]) -> None:
        """Remove messages that nobody can take any more."""
        await self.store.commit(drop_messages(messages))

    @asynccontextmanager
    async def _outbound(self, changes: Sequence[Change]) -> AsyncIterator[_Outbound]:
        """Give what follows from changes, with the ids of what starts reserved until the end."""
        sent = _Outbound()
        try:
            for change in changes:
                await self._add(change.outcome, sent)
            yield sent
        finally:
            for instance in sent.starts:
                self.admission.release(instance.id)

    async def _add(self, outcome: Outcome, sent: _Outbound) -> None:
        admitted = await self.admission.prepare(outcome.children)
        sent.starts.extend(instance for instance, _ in admitted.starts)
        messages = self._messages(outcome, admitted)
        now = self.clock.now()
        timers = [replace(one, due=self.weather.due(one.due, now)) for one in outcome.timers]
        sent.messages.extend(messages)
        sent.activities.extend(outcome.activities)
        sent.timers.extend(timers)
        sent.statements.extend(
            (
                *admitted.statements,
                *map(put_activity, outcome.activities),
                *map(put_timer, timers),
                *map(put_message, messages),
            )
        )

    def _messages(self, outcome: Outcome, admitted: Admitted) -> list[Message]:
        own, address = outcome.after.instance, self.mailboxes.address
        messages = [address(own.id, event, own.execution) for event in outcome.messages]
        messages += [address(one.id, began, one.execution) for one, began in admitted.starts]
        messages += [address(instance_id, began) for instance_id, began in admitted.successions]
        if outcome.notice:
            parent, told = outcome.notice
            messages.append(address(parent.id, told, parent.execution))
        messages += [address(entity, told) for entity, told in outcome.requests]
        return messages

    def _begin(self, sent: _Outbound) -> None:
        for snapshot in map(Snapshot, sent.starts):
            self.snapshots.put(snapshot)
        for activity in sent.activities:
            self.activities.start(activity)
        self.durable_timers.expect(sent.timers)
        self.mailboxes.deliver(sent.messages)

    def _keep(self, changes: Sequence[Change]) -> None:
        for change in changes:
            after = change.outcome.after
            self.snapshots.put(after)
            if change.before.instance.status == "Pending":
                self.weather.conceal(after.instance)
            self._tell(change)
            self.endings.tell(after.instance)

    def _tell(self, change: Change) -> None:
        before, outcome = change.before.instance, change.outcome
        own = outcome.after.instance
        if self.console.verbose:
            kinds = ", ".join(Kind(m.event["EventType"]).name for m in change.delivered)
            self.console.detail(f"{own.name} {own.id} took in {kinds}")
        for note in outcome.notes:
            self.console.line(f"{own.name} {own.id} {note}")
        if own.status != before.status:
            reason = f": {own.output}" if own.status in ("Failed", "Terminated") else ""
            self.console.line(f"{own.name} {own.id} {own.status}{reason}")


def _kept(change: Change) -> list[Statement]:
    outcome = change.outcome
    own, episodes = outcome.after.instance, outcome.after.episodes
    statements = [put_instance(own), *drop_messages(change.delivered)]
    if outcome.replaced:
        statements += (drop_history(own.id), *drop_work(own.id))
    else:
        number = change.before.instance.episodes
        statements.append(append_history(own.id, number, episodes[-1]))
    if own.over:
        return [*statements, *drop_work(own.id)]
    if outcome.replaced:
        statements += (append_history(own.id, *numbered) for numbered in enumerate(episodes))
    return statements
