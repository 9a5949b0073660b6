"""Tell when a timer trigger fires next, from an NCRONTAB expression or a TimeSpan.

The rules are those of the Azure Functions timer trigger, so a schedule that is refused or read in
a surprising way there is refused here.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo

from devhost.time.ncrontab import Ncrontab
from devhost.time.time_span import FORM, time_span

_LEAP_DAY = datetime(2024, 2, 29, tzinfo=timezone.utc)


class Schedule:
    """A timer trigger's schedule.

    Args:
        expression: NCRONTAB with 5 fields, or with 6 of which the first is seconds; or the time
            between two firings as `[d.]hh:mm:ss`.
        zone: The time zone that an NCRONTAB expression is meant in.

    Raises:
        ValueError: The expression is neither, or would never fire.
    """

    def __init__(self, expression: str, zone: tzinfo = timezone.utc) -> None:
        self._expression = expression.strip()
        self._zone = zone
        self._interval = _interval(self._expression)
        if self._interval is None:
            self._times = _ncrontab(self._expression)

    @property
    def recurs_within_a_minute(self) -> bool:
        """Whether it fires more than once in every minute."""
        if self._interval is not None:
            return self._interval < timedelta(minutes=1)
        return self._times.recurs_within_a_minute

    def next_after(self, moment: datetime) -> datetime:
        """Return the first firing later than `moment`, in UTC.

        Raises:
            ValueError: `moment` has no time zone.
        """
        if moment.tzinfo is None:
            raise ValueError(f"{moment.isoformat()} needs a time zone")
        if self._interval is not None:
            return moment.astimezone(timezone.utc) + self._interval
        return self._next_match(moment.astimezone(self._zone)).astimezone(timezone.utc)

    def _next_match(self, now: datetime) -> datetime:
        """Return the next match by the clock on the wall, as the timer trigger reads that.

        Of an hour that comes twice, a time of day is meant in the first, an interval in both.
        """
        found = self._times.next_after(now.replace(tzinfo=None, fold=0))
        if not self._times.recurs_within_a_day:
            while now.fold and _comes_twice(found.replace(tzinfo=self._zone)):
                found = self._times.next_after(found)
            return found.replace(tzinfo=self._zone)
        match = found.replace(tzinfo=self._zone, fold=now.fold)
        if _comes_twice(now) and not now.fold and not _comes_twice(match):
            return match.astimezone(timezone.utc) - (_offset(now) - _offset(match))
        return match


def _comes_twice(moment: datetime) -> bool:
    return _offset(moment.replace(fold=0)) > _offset(moment.replace(fold=1))


def _offset(moment: datetime) -> timedelta:
    return moment.utcoffset() or timedelta()


def _ncrontab(expression: str) -> Ncrontab:
    try:
        times = Ncrontab(expression)
        times.next_after(_LEAP_DAY.replace(tzinfo=None))
    except ValueError as error:
        raise ValueError(
            f"schedule {expression!r} is neither NCRONTAB (5 or 6 fields) nor a time span"
            f" ({FORM}): {error}"
        ) from error
    return times


def _interval(expression: str) -> timedelta | None:
    interval = time_span(expression)
    if interval == timedelta():
        raise ValueError(f"time span {expression!r} must be longer than nothing")
    return interval
