"""Committing what an episode led to, and starting the work that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from devhost.activities import Activities
from devhost.admission import Admission, Admitted
from devhost.console import Console
from devhost.durable_timers import DurableTimers
from devhost.endings import Endings
from devhost.episode import Outcome, Snapshot
from devhost.history import Kind
from devhost.instance import Instance, Message
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

    async def commit(self, *changes: Change) -> None:
        """Commit `changes` together, and the removal of the messages that led to them."""
        statements: list[Statement] = []
        starts: list[Instance] = []
        messages: list[Message] = []
        try:
            for change in changes:
                admitted = await self.admission.prepare(change.outcome.children)
                starts += (instance for instance, _ in admitted.starts)
                messages += self._messages(change.outcome, admitted)
                statements += (*_statements(change), *admitted.statements)
            await self.store.commit([*statements, *map(put_message, messages)])
        finally:
            for instance in starts:
                self.admission.release(instance.id)
        for snapshot in (*map(Snapshot, starts), *(change.outcome.after for change in changes)):
            self.snapshots.put(snapshot)
        for change in changes:
            self._follow(change.outcome)
            self._tell(change)
            self.endings.tell(change.outcome.after.instance)
        self.mailboxes.deliver(messages)

    async def discard(self, messages: Sequence[Message]) -> None:
        """Remove messages that nobody can take any more."""
        await self.store.commit([drop_messages(messages)])

    def _messages(self, outcome: Outcome, admitted: Admitted) -> list[Message]:
        own, address = outcome.after.instance, self.mailboxes.address
        messages = [
            address(own.id, event, own.execution)
            for event in (*outcome.messages, *admitted.refusals)
        ]
        messages += [address(one.id, began, one.execution) for one, began in admitted.starts]
        if outcome.notice:
            parent, told = outcome.notice
            messages.append(address(parent.id, told, parent.execution))
        messages += [address(entity, told) for entity, told in outcome.requests]
        return messages

    def _follow(self, outcome: Outcome) -> None:
        for activity in outcome.activities:
            self.activities.start(activity)
        self.durable_timers.expect(outcome.timers)

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


def _statements(change: Change) -> list[Statement]:
    outcome = change.outcome
    own, episodes = outcome.after.instance, outcome.after.episodes
    statements = [put_instance(own), drop_messages(change.delivered)]
    if outcome.replaced:
        statements += (drop_history(own.id), *drop_work(own.id))
    else:
        number = change.before.instance.episodes
        statements.append(append_history(own.id, number, episodes[-1]))
    if own.over:
        return [*statements, *drop_work(own.id)]
    if outcome.replaced:
        statements += (append_history(own.id, *numbered) for numbered in enumerate(episodes))
    statements += map(put_activity, outcome.activities)
    statements += map(put_timer, outcome.timers)
    if outcome.cancelled:
        statements.append(drop_timers(own.id, own.execution, outcome.cancelled))
    return statements
