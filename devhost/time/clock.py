"""The one source of time, and the text form in which times are stored and sent."""

from __future__ import annotations

import asyncio
from datetime import datetime, timezone
from typing import Protocol

# What an event loop sleeps by stands still while a laptop does: the time is looked at in between.
_LONGEST_SLEEP = 30.0


class Clock(Protocol):
    """What tells the time to every part of the host that orchestrations can see."""

    def now(self) -> datetime:
        """Return the present moment, aware and in UTC."""
        ...

    async def sleep_until(self, moment: datetime | None, interrupt: asyncio.Event) -> None:
        """Return at `moment` (never, if None), or as soon as `interrupt` is set."""
        ...

    def heading(self) -> datetime:
        """Return the moment that the clock is being moved to: for one that isn't, the present."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the present moment, aware and in UTC."""
        return datetime.now(timezone.utc)

    async def sleep_until(self, moment: datetime | None, interrupt: asyncio.Event) -> None:
        """Return at `moment` (never, if None), or as soon as `interrupt` is set."""
        while not interrupt.is_set():
            left = _LONGEST_SLEEP if moment is None else (moment - self.now()).total_seconds()
            if left <= 0:
                return
            try:
                await asyncio.wait_for(interrupt.wait(), min(left, _LONGEST_SLEEP))
            except asyncio.TimeoutError:
                continue

    def heading(self) -> datetime:
        """Return the present moment: nobody moves this clock."""
        return self.now()


def stamp(moment: datetime) -> str:
    """Write `moment` as .NET does: UTC, seven fraction digits, `Z`. Such texts sort by time."""
    utc = moment.astimezone(timezone.utc)
    return utc.isoformat(timespec="microseconds")[:26] + "0Z"


def trimmed(text: str) -> str:
    """Return what `stamp` wrote without zeros at its end, as times stand in histories.

    Such texts sort by time only without their `Z`.
    """
    return text[:-1].rstrip("0").removesuffix(".") + "Z"


def read_stamp(text: str) -> datetime:
    """Read an ISO 8601 moment with `Z`, an offset or neither (then UTC) and any fraction.

    Raises:
        ValueError: `text` isn't such a moment.
    """
    body, sign, offset = text.strip(), "", ""
    if body.endswith(("Z", "z")):
        body = body[:-1]
    elif len(body) > 6 and body[-6] in "+- " and body[-3] == ":":
        # A `+` that nobody quoted in a query string arrives as a blank.
        body, sign, offset = body[:-6], body[-6].replace(" ", "+"), body[-5:]
    whole, _, fraction = body.partition(".")
    moment = datetime.fromisoformat(f"{whole}.{fraction[:6].ljust(6, '0')}{sign}{offset}")
    return moment.replace(tzinfo=moment.tzinfo or timezone.utc).astimezone(timezone.utc)
