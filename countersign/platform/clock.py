"""The one place that asks what time it is; everything else is given the moment.

And how long ago a moment was, as far as one process can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from time import monotonic as steady
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Returns the present moment, aware and in UTC."""

CLOCK_FILE = "DEVHOST_CLOCK_FILE"
"""For tests alone: the local host names a file here if its time only moves when told."""


class ClockUnreadable(Exception):
    """The file that a test's clock is kept in holds no time."""


def clock_from(environment: Mapping[str, str]) -> Clock:
    """Return the machine's clock, unless a test keeps another one in a file."""
    file = environment.get(CLOCK_FILE)
    return partial(kept_time, Path(file)) if file else utc_now


def utc_now() -> datetime:
    """Return the present moment in UTC."""
    return datetime.now(timezone.utc)


def kept_time(file: Path) -> datetime:
    """Return the moment written in a file in ISO 8601, in UTC.

    Raises:
        ClockUnreadable: there is no file, or no moment with an offset in it.
    """
    try:
        moment = datetime.fromisoformat(file.read_text("utf-8").strip())
    except (OSError, ValueError) as error:
        raise ClockUnreadable(f"{CLOCK_FILE} names {file}, which holds no time") from error
    if moment.tzinfo is None:
        raise ClockUnreadable(f"the time in {file}, named by {CLOCK_FILE}, has no offset")
    return moment.astimezone(timezone.utc)


@dataclass(frozen=True, slots=True)
class Since:
    """Counts from the moment at which it is made, by both clocks of this process.

    One may be set back meanwhile, and the other one stands still while a machine sleeps.

    Attributes:
        clock: the one that people set.
    """

    clock: Clock
    _wall: datetime = field(init=False)
    _steady: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_wall", self.clock())
        object.__setattr__(self, "_steady", steady())

    @property
    def moment(self) -> datetime:
        """The moment from which it counts (UTC)."""
        return self._wall

    @property
    def passed(self) -> timedelta:
        """How long ago that is, by the clock that says more."""
        return max(self.clock() - self._wall, timedelta(seconds=steady() - self._steady))
