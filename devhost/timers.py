"""Timer triggers: functions that run by a schedule."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from devhost.app import App, Call
from devhost.catalogue import Function
from devhost.clock import Clock, read_stamp, stamp
from devhost.console import Console
from devhost.errors import CallLost, UsageError
from devhost.schedule import Schedule
from devhost.settings import Settings
from devhost.statements import put_trigger
from devhost.store import Store

# Below this the platform doesn't remember when a function should have run.
_SHORTEST_MONITORED = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Timer:
    name: str
    schedule: Schedule
    on_startup: bool
    monitored: bool


class TimerTriggers:
    """Runs the app's timer functions when they are due, and on demand."""

    def __init__(
        self, app: App, store: Store, clock: Clock, console: Console, settings: Settings
    ) -> None:
        self._app = app
        self._store = store
        self._clock = clock
        self._console = console
        functions = app.catalogue.of_kind("timerTrigger")
        self._timers = {timer.name: timer for timer in _timers(functions, settings, clock.now())}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin to watch the schedules."""
        for timer in self._timers.values():
            self._spawn(timer)

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def run_now(self, name: str) -> bool:
        """Run a timer function without waiting for it; tell whether there is one of that name."""
        timer = next((t for t in self._timers.values() if t.name.lower() == name.lower()), None)
        if timer is None:
            return False
        task = asyncio.create_task(self._fire(timer, past_due=False))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    def _spawn(self, timer: _Timer) -> None:
        task = asyncio.create_task(self._watch(timer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, timer: _Timer) -> None:
        if timer.on_startup:
            await self._fire(timer, past_due=False)
        due = await self._first(timer)
        never = asyncio.Event()
        while True:
            await self._clock.sleep_until(due, never)
            await self._fire(timer, past_due=False, due=due)
            due = await self._remember(timer, last=due)

    async def _first(self, timer: _Timer) -> datetime:
        known = await self._store.trigger(timer.name) if timer.monitored else None
        if known and read_stamp(known[1]) <= self._clock.now():
            missed = read_stamp(known[1])
            await self._fire(timer, past_due=True, due=missed)
            return await self._remember(timer, last=missed)
        return await self._remember(
            timer, last=read_stamp(known[0]) if known and known[0] else None
        )

    async def _remember(self, timer: _Timer, last: datetime | None) -> datetime:
        now = self._clock.now()
        due = timer.schedule.next_after(now)
        if timer.monitored:
            was = stamp(last) if last else None
            await self._store.commit([put_trigger(timer.name, was, stamp(due), stamp(now))])
        return due

    async def _fire(self, timer: _Timer, *, past_due: bool, due: datetime | None = None) -> None:
        body = json.dumps(
            {
                "Schedule": {"AdjustForDST": True},
                "ScheduleStatus": await self._status(timer),
                "IsPastDue": past_due,
            }
        )
        self._console.line(f"timer {timer.name}{' past due' if past_due else ''}")
        try:
            # The worker prints what the function raises.
            await self._app.call(Call(function=timer.name, body=body.encode()))
        except CallLost as lost:
            self._console.line(f"timer {timer.name}: {lost}")

    async def _status(self, timer: _Timer) -> dict[str, str | None] | None:
        known = await self._store.trigger(timer.name)
        if known is None:
            return None
        last, following, updated = known
        return {"Last": last, "Next": following, "LastUpdated": updated}


def _timers(functions: Iterable[Function], settings: Settings, now: datetime) -> list[_Timer]:
    zone = _zone(settings.environment.get("WEBSITE_TIME_ZONE"))
    return [_timer(function, settings, zone, now) for function in functions]


def _timer(function: Function, settings: Settings, zone: ZoneInfo | timezone, now: datetime):
    trigger = function.trigger
    try:
        schedule = Schedule(settings.expand(trigger["schedule"]), zone)
    except ValueError as error:
        raise UsageError(f"timer function {function.name}: {error}") from error
    first = schedule.next_after(now)
    often = schedule.next_after(first) - first < _SHORTEST_MONITORED
    return _Timer(
        name=function.name,
        schedule=schedule,
        on_startup=bool(trigger.get("runOnStartup")),
        monitored=trigger.get("useMonitor", True) is not False and not often,
    )


def _zone(name: str | None) -> ZoneInfo | timezone:
    if not name:
        return timezone.utc
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError) as error:
        raise UsageError(f"WEBSITE_TIME_ZONE names no time zone: {name!r}") from error
