from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from devhost.app.calls import Answer, Call
from devhost.background import Background
from devhost.config.settings import Settings
from devhost.console import Console
from devhost.engine.timer_triggers import TimerTriggers
from devhost.functions.catalogue import Catalogue, Function
from devhost.state.store import Store
from devhost.time.clock import Clock, SystemClock
from devhost.time.virtual_clock import VirtualClock

NOON = datetime(2026, 1, 1, 12, tzinfo=timezone.utc)


async def until(condition: Callable[[], bool]) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + 60
    while not condition():
        assert loop.time() < deadline
        await asyncio.sleep(0.001)


class SetClock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.time = NOON
        self.sleepers = 0

    def now(self) -> datetime:
        return self.time

    def heading(self) -> datetime:
        return self.time

    async def sleep_until(self, moment: datetime | None, interrupt: asyncio.Event) -> None:
        self.sleepers += 1
        try:
            await until(lambda: interrupt.is_set() or bool(moment and self.time >= moment))
        finally:
            self.sleepers -= 1


class RecordingApp:
    """An app with one timer function that notes how it is called.

    Args:
        failures: How many calls fail before one doesn't.
        function: What the function is besides.
        trigger: What its trigger says besides.
    """

    def __init__(
        self, *, failures: int = 0, function: Mapping[str, Any] | None = None, **trigger: Any
    ) -> None:
        settings = {"type": "timerTrigger", "schedule": "0 0 * * * *", **trigger}
        tick = Function(name="tick", trigger=settings, **(function or {}))
        self.catalogue = Catalogue([tick])
        self.failures = failures
        self.retries: list[dict[str, Any]] = []
        self.calls: list[dict[str, Any]] = []
        self.times: list[datetime] = []
        self.clock: Clock = SystemClock()

    async def call(self, call: Call) -> Answer:
        self.calls.append(json.loads(call.body))
        self.times.append(self.clock.now())
        self.retries.append(call.extra["retry"])
        failed = len(self.calls) <= self.failures
        return Answer(error=f"ValueError: {len(self.calls)}" if failed else None)


@asynccontextmanager
async def triggers(app: RecordingApp, clock: Clock, folder: Path) -> AsyncIterator[TimerTriggers]:
    store = Store(folder / "state.db", pytest.fail)
    if isinstance(clock, VirtualClock):
        clock.busy = lambda: store.busy
    settings = Settings(app=folder, environment={"EVERY": "0 30 * * * *"}, prefix="")
    console = Console(clock)
    timers = TimerTriggers(
        app,
        store,
        clock=clock,
        console=console,
        background=Background(console, pytest.fail),
        settings=settings,
    )
    timers.read()
    timers.open()
    yield timers
    await timers.close()
    await store.close()


async def passed(clock: SetClock, **time: float) -> None:
    clock.time += timedelta(**time)


async def test_a_function_runs_when_it_is_due_and_not_before(tmp_path: Path) -> None:
    app, clock = RecordingApp(), SetClock()
    async with triggers(app, clock, tmp_path):
        await until(lambda: clock.sleepers == 1)
        assert app.calls == []
        for hours in (1, 2):
            await passed(clock, hours=1)
            await until(lambda expected=hours: len(app.calls) == expected)
    first, second = app.calls
    assert first["IsPastDue"] is False
    assert first["ScheduleStatus"]["Last"] is None
    assert second["ScheduleStatus"]["Last"] == "2026-01-01T13:00:00.0000000Z"
    assert second["ScheduleStatus"]["Next"] == "2026-01-01T14:00:00.0000000Z"


async def test_what_was_missed_runs_once_and_says_so(tmp_path: Path) -> None:
    app, clock = RecordingApp(), SetClock()
    async with triggers(app, clock, tmp_path):
        await until(lambda: clock.sleepers == 1)
    await passed(clock, hours=5, minutes=1)
    async with triggers(app, clock, tmp_path):
        await until(lambda: len(app.calls) == 1)
    assert app.calls[0]["IsPastDue"] is True


async def test_a_schedule_that_has_changed_has_missed_nothing(tmp_path: Path) -> None:
    clock = SetClock()
    async with triggers(RecordingApp(), clock, tmp_path):
        await until(lambda: clock.sleepers == 1)
    await passed(clock, hours=5, minutes=1)
    app = RecordingApp(schedule="0 0 3 * * *")
    async with triggers(app, clock, tmp_path):
        await until(lambda: clock.sleepers == 1)
        assert app.calls == []
        await passed(clock, hours=10)
        await until(lambda: len(app.calls) == 1)
    assert app.calls[0]["IsPastDue"] is False


@pytest.mark.parametrize(
    "trigger",
    [
        # Not monitored on request
        {"useMonitor": False},
        # More often than once a minute
        {"schedule": "*/30 * * * * *"},
    ],
)
async def test_a_schedule_that_is_not_monitored_catches_up_on_nothing(
    tmp_path: Path, trigger: dict[str, Any]
) -> None:
    app, clock = RecordingApp(**trigger), SetClock()
    async with triggers(app, clock, tmp_path):
        await until(lambda: clock.sleepers == 1)
    await passed(clock, hours=5, seconds=1)
    async with triggers(app, clock, tmp_path):
        await until(lambda: clock.sleepers == 1)
    assert app.calls == []


RETRIES = {"strategy": "fixed_delay", "max_retry_count": "2", "delay_interval": "00:00:05"}


@pytest.mark.parametrize(("failures", "calls"), [(0, 1), (1, 2), (2, 3), (9, 3)])
async def test_what_fails_is_tried_again_as_its_policy_says(
    tmp_path: Path, failures: int, calls: int
) -> None:
    app = RecordingApp(failures=failures, function={"retry": RETRIES}, runOnStartup=True)
    clock = SetClock()
    async with triggers(app, clock, tmp_path):
        for number in range(1, calls + 1):
            await until(lambda number=number: len(app.calls) == number and clock.sleepers == 1)
            await passed(clock, seconds=5)
        assert len(app.calls) == calls
    assert [retry["count"] for retry in app.retries] == list(range(calls))
    assert [retry["most"] for retry in app.retries] == [2] * calls
    told = [retry.get("message") for retry in app.retries]
    assert told == [None, "ValueError: 1", "ValueError: 2"][:calls]


async def test_what_has_no_policy_is_not_tried_again(tmp_path: Path) -> None:
    app, clock = RecordingApp(failures=1, runOnStartup=True), SetClock()
    async with triggers(app, clock, tmp_path):
        await until(lambda: clock.sleepers == 1)
    assert len(app.calls) == 1


async def test_a_disabled_function_does_not_run(tmp_path: Path) -> None:
    app = RecordingApp(function={"disabled": True}, runOnStartup=True)
    clock = SetClock()
    async with triggers(app, clock, tmp_path) as timers:
        assert not timers.run_now("tick")
        assert (app.calls, clock.sleepers) == ([], 0)


async def test_a_function_may_run_at_the_start(tmp_path: Path) -> None:
    app, clock = RecordingApp(runOnStartup=True), SetClock()
    async with triggers(app, clock, tmp_path):
        await until(lambda: len(app.calls) == 1)


async def test_a_schedule_may_come_from_the_settings(tmp_path: Path) -> None:
    app, clock = RecordingApp(schedule="%EVERY%"), SetClock()
    async with triggers(app, clock, tmp_path):
        await until(lambda: clock.sleepers == 1)
        await passed(clock, minutes=30)
        await until(lambda: len(app.calls) == 1)


@pytest.mark.parametrize(
    ("schedule", "runs"),
    [
        # No more than a day has hours: each at its time
        ("0 0 * * * *", [(hour, False) for hour in range(13, 37)]),
        # Too often to be worth it: the first at its time, and one for all that were missed
        ("0 */30 * * * *", [(12.5, False), (36, True)]),
    ],
)
async def test_while_a_clock_is_moved_what_is_due_on_the_way_runs(
    tmp_path: Path, schedule: str, runs: list[tuple[float, bool]]
) -> None:
    (tmp_path / "clock.txt").write_text(NOON.isoformat())
    clock = VirtualClock(tmp_path / "clock.txt")
    app = RecordingApp(schedule=schedule)
    app.clock = clock
    async with triggers(app, clock, tmp_path):
        assert await clock.advance(86400)
    midnight = NOON - timedelta(hours=12)
    past_due = [call["IsPastDue"] for call in app.calls]
    assert list(zip(app.times, past_due, strict=True)) == [
        (midnight + timedelta(hours=hours), late) for hours, late in runs
    ]
