"""NCRONTAB expressions: what each field allows, and which time comes next.

The rules are NCrontab's, with which the timer trigger reads its schedules:
https://github.com/atifaziz/NCrontab
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise

_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
# A 29 February can keep away from a weekday for 40 years, where a century has no leap day.
_MOST_DAYS = 41 * 366


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    lowest: int
    highest: int
    names: tuple[str, ...] = ()

    def read(self, text: str) -> frozenset[int]:
        """Return the values that `text` allows; raises ValueError if it can't be read."""
        return frozenset(value for part in text.split(",") for value in self._part(part))

    def _part(self, text: str) -> range:
        body, slash, every = text.partition("/")
        step = max(_step(every), 1) if slash else 1
        if body == "*":
            return range(self.lowest, self.highest + 1, step)
        first, dash, last = body.partition("-")
        begin = self._value(first)
        end = self._value(last) if dash else self.highest if slash else begin
        # A range that runs backwards is swapped, not wrapped around.
        return range(min(begin, end), max(begin, end) + 1, step)

    def _value(self, text: str) -> int:
        if re.fullmatch(r"\d+", text, re.ASCII):
            value = int(text)
            if not self.lowest <= value <= self.highest:
                raise ValueError(f"{value} is out of range for the {self.name}")
            return value
        # The beginning of a name is enough; the first that begins so is meant.
        for value, name in enumerate(self.names, self.lowest):
            if text and name.startswith(text.lower()):
                return value
        raise ValueError(f"{text!r} is no {self.name}")


_FIELDS = (
    _Field("second", 0, 59),
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of the month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of the week", 0, 6, _DAYS),
)


class Ncrontab:
    """An expression of 5 fields, or of 6 of which the first is seconds.

    Raises:
        ValueError: It has another number of fields, or one that can't be read.
    """

    def __init__(self, expression: str) -> None:
        texts = [text for text in expression.split(" ") if text]
        if len(texts) not in (5, 6):
            raise ValueError(f"{expression!r} has {len(texts)} fields, and needs 5 or 6")
        texts = ["0"] * (6 - len(texts)) + texts
        seconds, minutes, hours, *days = (
            field.read(text) for field, text in zip(_FIELDS, texts, strict=True)
        )
        self._times = (sorted(hours), sorted(minutes), sorted(seconds))
        self._days, self._months, self._weekdays = days
        self._free = [f.read("*") for f in _FIELDS[1:]] == [minutes, hours, *days]

    @property
    def recurs_within_a_minute(self) -> bool:
        """Whether it matches more than once in every minute."""
        return self._free and len(self._times[-1]) > 1

    @property
    def recurs_within_a_day(self) -> bool:
        """Whether neighbouring hours, minutes or seconds match: an interval, not a time of day."""
        return any(
            later - earlier == 1 for values in self._times for earlier, later in pairwise(values)
        )

    def next_after(self, moment: datetime) -> datetime:
        """Return the first match later than `moment`, neither of which has a time zone.

        Raises:
            ValueError: There is none.
        """
        later = moment.replace(microsecond=0) + timedelta(seconds=1)
        found = self._time_from(later.time()) if self._matches(later.date()) else None
        if found is not None:
            return datetime.combine(later.date(), found)
        hours, minutes, seconds = self._times
        first = time(hours[0], minutes[0], seconds[0])
        for number in range(1, _MOST_DAYS):
            day = later.date() + timedelta(days=number)
            if self._matches(day):
                return datetime.combine(day, first)
        raise ValueError("its day never comes")

    def _matches(self, day: date) -> bool:
        # Unlike cron, NCRONTAB wants the day of the month and the day of the week to match.
        return (
            day.month in self._months
            and day.day in self._days
            and day.isoweekday() % 7 in self._weekdays
        )

    def _time_from(self, earliest: time) -> time | None:
        hours, minutes, seconds = self._times
        matches = (
            time(hour, minute, second)
            for hour in hours
            if hour >= earliest.hour
            for minute in minutes
            for second in seconds
        )
        return next((match for match in matches if match >= earliest), None)


def _step(text: str) -> int:
    if not re.fullmatch(r"[+-]?\d+", text, re.ASCII):
        raise ValueError(f"{text!r} is no step")
    return int(text)
