"""Tell when a timer trigger fires next, from an NCRONTAB expression or a TimeSpan.

The rules are those of the Azure Functions timer trigger, so a schedule that is refused or read in
a surprising way there is refused here.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone, tzinfo

from croniter import croniter

_TIME_SPAN = re.compile(r"(?:(\d{1,6})\.)?(\d{1,2}):(\d{1,2}):(\d{1,2})", re.ASCII)
# croniter knows more (random values, "last Friday", "@daily"), which NCRONTAB doesn't.
_NAMES = "sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_FIELD = rf"(?:[\d*,/-]|{_NAMES})+"
_NCRONTAB = re.compile(rf"{_FIELD}(?:[ \t]+{_FIELD}){{4,5}}", re.ASCII | re.IGNORECASE)
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
        self.next_after(_LEAP_DAY)

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

    def _next_match(self, moment: datetime) -> datetime:
        if not _NCRONTAB.fullmatch(self._expression):
            raise ValueError(
                f"schedule {self._expression!r} is neither NCRONTAB (5 or 6 fields) nor a time"
                " span ([d.]hh:mm:ss)"
            )
        try:
            # Unlike cron, NCRONTAB wants the day of the month and the day of the week to match.
            times = croniter(self._expression, moment, day_or=False, second_at_beginning=True)
            return times.get_next(datetime)
        except ValueError as error:
            raise ValueError(f"schedule {self._expression!r} cannot fire: {error}") from error


def _interval(expression: str) -> timedelta | None:
    match = _TIME_SPAN.fullmatch(expression)
    if match is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    if hours > 23 or minutes > 59 or seconds > 59:
        # .NET reads "24:00:00" as 24 days; nobody who writes it means that.
        raise ValueError(
            f"time span {expression!r} goes over 23:59:59; put days first, as in 1.00:00:00"
        )
    interval = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    if not interval:
        raise ValueError(f"time span {expression!r} must be longer than nothing")
    return interval
