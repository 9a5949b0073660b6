"""A clock that stands still until it is moved, for tests that can't wait for a day."""

from __future__ import annotations

import asyncio
import itertools
import os
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

from devhost.errors import StateUnusable

# What goes on is at every moment a call, a read or write of the state, or a step that the event
# loop is about to take. From one of the first two to the next it takes a handful of such steps.
_STEPS = 20
_POLL_SECONDS = 0.001
PATIENCE = 20.0
_REPLACE_SECONDS = 2.0
_RETRY_SECONDS = 0.01


class VirtualClock:
    """Moves only when told, and then from one due time to the next.

    Args:
        file: Keeps the time, for the next host on the same data and for the app.

    Attributes:
        busy: Tells whether anything goes on that may have to be waited for.

    Raises:
        StateUnusable: The file holds no time.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._now = kept_time(file) or datetime.now(timezone.utc)
        self._heading = self._now
        self._moving = asyncio.Lock()
        self._numbers = itertools.count()
        self._sleepers: dict[int, tuple[datetime, asyncio.Event]] = {}
        self.busy: Callable[[], bool] = lambda: False
        self._move(self._now)

    def now(self) -> datetime:
        """Return the present moment, aware and in UTC."""
        return self._now

    def heading(self) -> datetime:
        """Return the moment that the clock is being moved to."""
        return self._heading

    async def sleep_until(self, moment: datetime | None, interrupt: asyncio.Event) -> None:
        """Return at `moment` (never, if None), or as soon as `interrupt` is set."""
        if moment is None:
            await interrupt.wait()
        elif moment > self._now:
            await self._sleep(moment, interrupt)

    async def advance(self, seconds: float, *, patience: float = PATIENCE) -> bool:
        """Move on by `seconds`, stopping at each due time on the way until all is still again.

        Args:
            seconds: By this clock.
            patience: The most seconds, by the machine's clock, that this may take.

        Returns:
            Whether all was still at the end. If not, patience was at its end: then the clock has
            moved all the same, and what was due on the way begins as soon as it can.
        """
        async with self._moving:
            give_up = time.monotonic() + patience
            still = await self._still(give_up)
            self._heading = self._now + timedelta(seconds=seconds)
            while still and (due := self._next_due()) is not None and due <= self._heading:
                self._move(due)
                still = await self._still(give_up)
            self._move(self._heading)
            return still

    def _next_due(self) -> datetime | None:
        return min((moment for moment, _ in self._sleepers.values()), default=None)

    async def _sleep(self, moment: datetime, interrupt: asyncio.Event) -> None:
        number, due = next(self._numbers), asyncio.Event()
        self._sleepers[number] = moment, due
        waits = [asyncio.ensure_future(event.wait()) for event in (due, interrupt)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._sleepers.pop(number, None)
            for wait in waits:
                wait.cancel()

    def _move(self, moment: datetime) -> None:
        # The app reads the file, and must not find an earlier time than what has woken it.
        _keep(self._file, moment)
        self._now = moment
        for number, (due, awake) in list(self._sleepers.items()):
            if due <= moment:
                del self._sleepers[number]
                awake.set()

    async def _still(self, give_up: float) -> bool:
        """Wait until nothing goes on; return False if that is not so before `give_up`."""
        still = 0
        while still < _STEPS:
            if time.monotonic() > give_up:
                return False
            busy = self.busy()
            still = 0 if busy else still + 1
            await asyncio.sleep(_POLL_SECONDS if busy else 0)
        return True


def kept_time(file: Path) -> datetime | None:
    """Return the time that a virtual clock has left in `file`; None if there is no such file.

    Raises:
        StateUnusable: The file holds something else.
    """
    try:
        moment = datetime.fromisoformat(file.read_text("utf-8").strip())
    except FileNotFoundError:
        return None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise StateUnusable(f"{file} does not hold the time of a virtual clock; remove it")
    return moment.astimezone(timezone.utc)


def _keep(file: Path, moment: datetime) -> None:
    draft = file.with_suffix(".new")
    draft.write_text(f"{moment.isoformat()}\n", "utf-8")
    give_up = time.monotonic() + _REPLACE_SECONDS
    while True:
        try:
            draft.replace(file)
        except PermissionError:
            # Windows doesn't replace a file while somebody reads it.
            if os.name != "nt" or time.monotonic() > give_up:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return
