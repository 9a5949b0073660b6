from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone

import pytest

from devhost.time import clock as clock_module
from devhost.time.clock import SystemClock, read_stamp, stamp

MOMENT = datetime(2026, 11, 29, 15, 59, 46, 432785, tzinfo=timezone.utc)


def test_a_moment_is_written_as_dotnet_does() -> None:
    assert stamp(MOMENT) == "2026-11-29T15:59:46.4327850Z"
    tokyo = MOMENT.astimezone(timezone(timedelta(hours=9)))
    assert stamp(tokyo) == stamp(MOMENT)
    assert stamp(MOMENT.replace(microsecond=0)) == "2026-11-29T15:59:46.0000000Z"


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-29T15:59:46.4327850Z",
        "2026-11-29T15:59:46.432785Z",
        "2026-11-29T15:59:46.432785",
        "2026-11-30T00:59:46.432785+09:00",
        # An unquoted plus of a query string
        "2026-11-29T15:59:46.432785 00:00",
        "2026-11-29T10:59:46.432785-05:00",
    ],
)
def test_every_usual_form_of_a_moment_is_read(text: str) -> None:
    assert read_stamp(text) == MOMENT


def test_what_is_no_moment_is_refused() -> None:
    with pytest.raises(ValueError, match="yesterday"):
        read_stamp("yesterday")


async def test_a_sleep_ends_at_its_time_or_when_interrupted() -> None:
    clock, interrupt = SystemClock(), asyncio.Event()
    await clock.sleep_until(clock.now() + timedelta(milliseconds=20), interrupt)
    sleep = asyncio.create_task(clock.sleep_until(None, interrupt))
    await asyncio.sleep(0)
    interrupt.set()
    await asyncio.wait_for(sleep, 5)


async def test_a_time_that_jumps_while_the_machine_sleeps_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What a developer may have to wait for after waking a laptop
    assert clock_module._LONGEST_SLEEP <= 60
    monkeypatch.setattr(clock_module, "_LONGEST_SLEEP", 0.001)
    clock, times = SystemClock(), iter([MOMENT, MOMENT + timedelta(hours=9)])
    monkeypatch.setattr(clock, "now", lambda: next(times))
    await asyncio.wait_for(clock.sleep_until(MOMENT + timedelta(hours=8), asyncio.Event()), 60)
