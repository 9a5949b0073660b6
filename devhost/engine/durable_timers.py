"""The durable timers of orchestrations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from devhost.durable.history import Kind, event
from devhost.durable.instance import Message, Timer
from devhost.engine.mailboxes import Mailboxes
from devhost.state.statements import Statement, drop_timers, put_message
from devhost.state.store import Store
from devhost.time.clock import Clock, read_stamp, stamp, trimmed

_AT_ONCE = 500


class DurableTimers:
    """Fires the timers that the store holds, each once its time has come.

    Timers that others put there are made known by `expect`.
    """

    def __init__(self, store: Store, mailboxes: Mailboxes, clock: Clock) -> None:
        self._store = store
        self._mailboxes = mailboxes
        self._clock = clock
        self._next: str | None = None
        self._changed = asyncio.Event()

    def expect(self, timers: Iterable[Timer]) -> None:
        """Take notice of timers that were added to the store."""
        for timer in timers:
            if self._next is None or timer.due < self._next:
                self._next = timer.due
                self._changed.set()

    async def run(self) -> None:
        """Fire timers until cancelled."""
        while True:
            self._changed.clear()
            # A timer that is added while the store is asked must not be measured by the old time.
            self._next = None
            self._next = await self._store.next_due()
            due = None if self._next is None else read_stamp(self._next)
            await self._clock.sleep_until(due, self._changed)
            timers = await self._store.due(stamp(self._clock.now()), _AT_ONCE)
            if timers:
                await self._fire(timers)

    async def _fire(self, timers: list[Timer]) -> None:
        statements: list[Statement] = []
        messages: list[Message] = []
        for timer in timers:
            fired = event(
                Kind.TimerFired, self._clock.now(), TimerId=timer.task, FireAt=trimmed(timer.due)
            )
            message = self._mailboxes.address(timer.instance, fired, timer.execution)
            statements += [
                drop_timers(timer.instance, timer.execution, [timer.task]),
                put_message(message),
            ]
            messages.append(message)
        # They must be out of the store before it is asked for the next ones.
        await self._store.commit(statements)
        self._mailboxes.deliver(messages)
