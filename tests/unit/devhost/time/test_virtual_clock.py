from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from devhost.errors import StateUnusable
from devhost.time.virtual_clock import VirtualClock, kept_time

NOON = datetime(2026, 1, 1, 12, tzinfo=timezone.utc)


@pytest.fixture
def clock(tmp_path: Path) -> VirtualClock:
    file = tmp_path / "clock.txt"
    file.write_text(NOON.isoformat())
    return VirtualClock(file)


def after(**time: float) -> datetime:
    return NOON + timedelta(**time)


async def with_alarms(
    clock: VirtualClock, alarms: Callable[[], Awaitable[None]], seconds: float
) -> bool:
    """Advance with `alarms` running, as the host's parts do."""
    running = asyncio.ensure_future(alarms())
    try:
        return await clock.advance(seconds)
    finally:
        running.cancel()


def test_it_stands_still(clock: VirtualClock) -> None:
    assert clock.now() == clock.now() == NOON


async def test_each_due_time_is_stopped_at_in_order(clock: VirtualClock) -> None:
    seen: list[datetime] = []

    async def chain() -> None:
        # Each due time is only known once the one before has come.
        for hours in (12, 21.6, 24):
            await clock.sleep_until(after(hours=hours), asyncio.Event())
            await asyncio.sleep(0)
            seen.append(clock.now())

    assert await with_alarms(clock, chain, 86400)
    assert seen == [after(hours=12), after(hours=21.6), after(hours=24)]


async def test_what_is_due_later_sleeps_on(clock: VirtualClock) -> None:
    sleep = asyncio.ensure_future(clock.sleep_until(after(seconds=61), asyncio.Event()))
    await clock.advance(60)
    assert (clock.now(), sleep.done()) == (after(seconds=60), False)
    await clock.advance(1)
    await asyncio.wait_for(sleep, 5)


async def test_a_sleep_ends_when_it_is_interrupted(clock: VirtualClock) -> None:
    interrupt = asyncio.Event()
    sleeps = [
        asyncio.ensure_future(clock.sleep_until(moment, interrupt))
        for moment in (None, after(days=1))
    ]
    await asyncio.sleep(0)
    interrupt.set()
    await asyncio.wait_for(asyncio.gather(*sleeps), 5)


async def test_it_waits_for_what_goes_on_before_it_moves_on(clock: VirtualClock) -> None:
    working = asyncio.Event()
    clock.busy = working.is_set
    done: list[datetime] = []

    async def work() -> None:
        await clock.sleep_until(after(hours=1), asyncio.Event())
        working.set()
        await asyncio.sleep(0.02)
        done.append(clock.now())
        working.clear()

    assert await with_alarms(clock, work, 86400)
    assert done == [after(hours=1)]


async def test_it_waits_no_longer_than_its_patience(clock: VirtualClock) -> None:
    clock.busy = lambda: True
    assert not await clock.advance(60, patience=0.01)
    assert clock.now() == after(minutes=1)


async def test_two_advances_add_up(clock: VirtualClock) -> None:
    await asyncio.gather(clock.advance(60), clock.advance(60))
    assert clock.now() == after(minutes=2)


async def test_the_file_says_the_time_before_anybody_is_woken(
    clock: VirtualClock, tmp_path: Path
) -> None:
    seen: list[datetime | None] = []

    async def read() -> None:
        await clock.sleep_until(after(hours=1), asyncio.Event())
        seen.append(kept_time(tmp_path / "clock.txt"))

    await with_alarms(clock, read, 86400)
    assert seen == [after(hours=1)]
    assert VirtualClock(tmp_path / "clock.txt").now() == after(days=1)


def test_the_first_time_is_the_machines(tmp_path: Path) -> None:
    clock = VirtualClock(tmp_path / "clock.txt")
    assert abs(clock.now() - datetime.now(timezone.utc)) < timedelta(minutes=1)


@pytest.mark.parametrize("content", ["", "noon", "2026-01-01T12:00:00"])
def test_a_file_without_a_time_is_told(tmp_path: Path, content: str) -> None:
    file = tmp_path / "clock.txt"
    file.write_text(content)
    with pytest.raises(StateUnusable, match=r"clock\.txt does not hold the time"):
        VirtualClock(file)
