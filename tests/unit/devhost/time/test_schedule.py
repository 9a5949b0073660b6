from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from devhost.time.schedule import Schedule

SUNDAY = datetime(2026, 11, 29, 10, 0, 0, 500_000, tzinfo=timezone.utc)


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("expression", "fires"),
    [
        # six fields start with the seconds
        ("*/5 * * * * *", utc(2026, 11, 29, 10, 0, 5)),
        # five fields have none and fire on the full minute
        ("* * * * *", utc(2026, 11, 29, 10, 1)),
        # names of days and months, in any case
        ("0 0 9 * * MON-Fri", utc(2026, 11, 30, 9)),
        # both days must match, unlike in cron: the next Friday the 13th
        ("0 0 0 13 * 5", utc(2027, 8, 13)),
        # a date that comes every four years
        ("0 0 0 29 2 *", utc(2028, 2, 29)),
        # the beginning of a name is enough; written out it does as well
        ("0 0 9 * * Wednes", utc(2026, 12, 2, 9)),
        ("0 0 9 * february Tuesday", utc(2027, 2, 2, 9)),
        ("0 0 9 * ma *", utc(2027, 3, 1, 9)),
        # ranges the wrong way round are swapped
        ("0 0 22-4 * * *", utc(2026, 11, 29, 11)),
        # The second of December is a Wednesday.
        ("0 0 0 2 12 fri-mon", utc(2026, 12, 2)),
        ("0 0 0 2 12 5-1", utc(2026, 12, 2)),
        ("0 0 22-4/7 * * *", utc(2026, 11, 29, 11)),
        # equal ends mean one value
        ("0 0 12-12 * * *", utc(2026, 11, 29, 12)),
        ("0 12-12/5 9 * * *", utc(2026, 11, 30, 9, 12)),
        # a step from one value on goes to the end
        ("0 7/20 * * * *", utc(2026, 11, 29, 10, 7)),
        # a step of nothing is a step of one
        ("*/0 * * * * *", utc(2026, 11, 29, 10, 0, 1)),
    ],
)
def test_ncrontab_tells_the_next_match(expression: str, fires: datetime) -> None:
    assert Schedule(expression).next_after(SUNDAY) == fires


@pytest.mark.parametrize(
    ("expression", "interval"),
    [
        ("00:01:30", timedelta(seconds=90)),
        ("1.12:00:00", timedelta(days=1, hours=12)),
        # spaces around it come from settings files
        (" 00:00:01 ", timedelta(seconds=1)),
    ],
)
def test_a_time_span_counts_from_the_moment(expression: str, interval: timedelta) -> None:
    assert Schedule(expression).next_after(SUNDAY) == SUNDAY + interval


def test_a_firing_is_later_than_the_moment_even_on_the_second() -> None:
    every_minute = Schedule("0 * * * * *")
    assert every_minute.next_after(utc(2026, 1, 1, 0, 1)) == utc(2026, 1, 1, 0, 2)


def test_an_expression_is_meant_in_its_time_zone_and_answered_in_utc() -> None:
    nine_in_berlin = Schedule("0 0 9 * * *", ZoneInfo("Europe/Berlin"))
    winter, summer = utc(2026, 12, 1), utc(2026, 7, 1)
    assert nine_in_berlin.next_after(winter) == utc(2026, 12, 1, 8)
    assert nine_in_berlin.next_after(summer) == utc(2026, 7, 1, 7)
    assert nine_in_berlin.next_after(winter).utcoffset() == timedelta()


def test_a_time_skipped_by_summer_time_still_fires_that_day() -> None:
    half_past_two = Schedule("0 30 2 * * *", ZoneInfo("Europe/Berlin"))
    fires = half_past_two.next_after(utc(2027, 3, 27, 12))
    assert utc(2027, 3, 28) < fires < utc(2027, 3, 28, 2)


def firings(expression: str, start: datetime, count: int) -> list[tuple[int, int]]:
    """Return the hours and minutes, in UTC, of what fires next by the clocks of Los Angeles."""
    schedule = Schedule(expression, ZoneInfo("America/Los_Angeles"))
    found = []
    for _ in range(count):
        start = schedule.next_after(start)
        found.append((start.hour, start.minute))
    return found


def test_an_interval_runs_through_both_of_an_hour_that_comes_twice() -> None:
    before = utc(2018, 11, 4, 7, 31)
    times = [(8, 0), (8, 30), (9, 0), (9, 30), (10, 0), (10, 30)]
    assert firings("0 */30 * * * *", before, 6) == times


def test_a_time_of_day_fires_once_in_an_hour_that_comes_twice() -> None:
    assert firings("0 30 1 * * *", utc(2018, 11, 4, 7, 59), 2) == [(8, 30), (9, 30)]
    # At the second coming it counts as fired.
    assert firings("0 30 1 * * *", utc(2018, 11, 4, 9, 29), 1) == [(9, 30)]
    assert Schedule("0 30 1 * * *", ZoneInfo("America/Los_Angeles")).next_after(
        utc(2018, 11, 4, 9, 29)
    ) == utc(2018, 11, 5, 9, 30)


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("", "neither"),
        ("* * *", "neither"),
        # what other readers of crontab know and Azure doesn't
        ("@daily", "neither"),
        ("r r * * *", "neither"),
        ("0 0 0 L * *", "neither"),
        ("61 * * * * *", "out of range"),
        ("*/x * * * * *", "step"),
        ("-5 * * * * *", "second"),
        ("1, * * * * *", "second"),
        # the week's days are 0 to 6
        ("0 0 0 * * 7", "out of range"),
        ("0 0 0 * * fry", "day of the week"),
        # a day that never comes
        ("0 0 0 30 2 *", "never comes"),
        # .NET would read these as 24 days
        ("24:00:00", "put days first"),
        ("00:60:00", "put days first"),
        ("00:00:00", "longer than nothing"),
    ],
)
def test_a_schedule_that_cannot_work_is_refused_at_once(expression: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Schedule(expression)


@pytest.mark.parametrize(
    ("expression", "often"),
    [
        ("*/30 * * * * *", True),
        ("0,1 * * * * *", True),
        ("00:00:59", True),
        ("0 * * * * *", False),
        ("* * * * *", False),
        # Twice in one minute of the day, and in no other
        ("*/30 0 9 * * *", False),
        ("00:01:00", False),
    ],
)
def test_what_fires_more_than_once_in_every_minute_is_known(expression: str, often: bool) -> None:
    assert Schedule(expression).recurs_within_a_minute is often


def test_a_moment_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a time zone"):
        Schedule("* * * * *").next_after(datetime(2026, 1, 1))  # noqa: DTZ001 - the very fault
