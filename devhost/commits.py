"""Committing what an episode led to, and starting the work that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from devhost.alarms import Alarms
from devhost.births import Births, Newborns
from devhost.console import Console
from devhost.episode import Outcome, Snapshot
from devhost.instance import Instance, Message
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Commits:
    """Commits outcomes; nothing that follows from one begins before it is committed."""

    store: Store
    mailboxes: Mailboxes
    snapshots: Snapshots
    births: Births
    labour: Labour
    alarms: Alarms
    console: Console

    async def commit(
        self, before: Snapshot, outcome: Outcome, delivered: Sequence[Message]
    ) -> None:
        """Commit `outcome` together with the removal of the messages that led to it."""
        newborns = await self.births.prepare(outcome.children)
        try:
            messages = self._messages(outcome, newborns)
            await self.store.commit(
                [
                    *_changes(before, outcome, delivered),
                    *newborns.statements,
                    *map(put_message, messages),
                ]
            )
        finally:
            for instance, _ in newborns.starts:
                self.births.release(instance.id)
        for instance, _ in newborns.starts:
            self.snapshots.put(Snapshot(instance))
        self.snapshots.put(outcome.after)
        self._follow(outcome, messages)
        self._tell(before.instance, outcome)

    async def discard(self, messages: Sequence[Message]) -> None:
        """Remove messages that nobody can take any more."""
        await self.store.commit([drop_messages(messages)])

    def _messages(self, outcome: Outcome, newborns: Newborns) -> list[Message]:
        own, address = outcome.after.instance, self.mailboxes.address
        messages = [
            address(own.id, event, own.execution)
            for event in (*outcome.messages, *newborns.refusals)
        ]
        messages += [address(one.id, began, one.execution) for one, began in newborns.starts]
        if outcome.notice:
            parent, told = outcome.notice
            messages.append(address(parent.id, told, parent.execution))
        return messages

    def _follow(self, outcome: Outcome, messages: Sequence[Message]) -> None:
        for activity in outcome.activities:
            self.labour.start(activity)
        self.alarms.expect(outcome.timers)
        self.mailboxes.deliver(messages)

    def _tell(self, before: Instance, outcome: Outcome) -> None:
        own = outcome.after.instance
        for note in outcome.notes:
            self.console.line(f"{own.name} {own.id} {note}")
        if outcome.restarted:
            self.console.line(f"{own.name} {own.id} ContinuedAsNew")
        elif own.status != before.status:
            reason = f": {own.output}" if own.status in ("Failed", "Terminated") else ""
            self.console.line(f"{own.name} {own.id} {own.status}{reason}")


def _changes(before: Snapshot, outcome: Outcome, delivered: Sequence[Message]) -> list[Statement]:
    own = outcome.after.instance
    changes = [put_instance(own), drop_messages(delivered)]
    if outcome.restarted:
        return [*changes, drop_history(own.id), *drop_work(own.id)]
    episode = before.instance.episodes
    changes.append(append_history(own.id, episode, outcome.after.episodes[-1]))
    if own.over:
        return [*changes, *drop_work(own.id)]
    changes += map(put_activity, outcome.activities)
    changes += map(put_timer, outcome.timers)
    if outcome.cancelled:
        changes.append(drop_timers(own.id, own.execution, outcome.cancelled))
    return changes
