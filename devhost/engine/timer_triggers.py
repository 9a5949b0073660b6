"""Timer triggers: functions that run by a schedule."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any
from zoneinfo import ZoneInfo

from devhost.app.calls import Answer, App, Call
from devhost.background import Background
from devhost.config.settings import Settings
from devhost.console import Console
from devhost.errors import CallLost, UsageError
from devhost.functions.catalogue import Function
from devhost.functions.retry_policy import RetryPolicy, retry_policy
from devhost.state.statements import put_trigger
from devhost.state.store import Store
from devhost.time.clock import Clock, read_stamp, stamp
from devhost.time.schedule import Schedule

# What would run more often while a virtual clock is moved once catches up like after a downtime.
_MOST_ON_THE_WAY = 24


@dataclass(frozen=True, kw_only=True, slots=True)
class _Timer:
    name: str
    trigger: Mapping[str, Any]
    schedule: Schedule
    retry: RetryPolicy | None
    on_startup: bool
    monitored: bool


class TimerTriggers:
    """Runs the app's timer functions when they are due, and on demand.

    Args:
        background: Watches the schedules; it is closed with this.
    """

    def __init__(
        self,
        app: App,
        store: Store,
        *,
        clock: Clock,
        console: Console,
        background: Background,
        settings: Settings,
    ) -> None:
        self._app = app
        self._store = store
        self._clock = clock
        self._console = console
        self._background = background
        self._settings = settings
        self._timers: list[_Timer] = []
        self._watching = False
        self._watches: list[asyncio.Task[None]] = []

    def read(self) -> None:
        """Find the app's timer functions.

        Raises:
            UsageError: A schedule can't be read; what was found before stays.
        """
        timers = self._app.catalogue.of_kind("timerTrigger")
        functions = [function for function in timers if not function.disabled]
        self._timers = _timers(functions, self._settings)

    def open(self) -> None:
        """Begin to watch the schedules."""
        self._watching = True
        self._watches = [self._background.start(self._watch(timer)) for timer in self._timers]

    def refresh(self) -> None:
        """Watch the schedules that the app has now; raises as `read` does."""
        before = [(timer.trigger, timer.retry) for timer in self._timers]
        self.read()
        if self._watching and [(timer.trigger, timer.retry) for timer in self._timers] != before:
            for watch in self._watches:
                watch.cancel()
            self.open()

    async def close(self) -> None:
        """Stop."""
        await self._background.close()

    def run_now(self, name: str) -> bool:
        """Run a timer function without waiting for it; tell whether there is one of that name."""
        timer = next((t for t in self._timers if t.name.lower() == name.lower()), None)
        if timer is not None:
            self._background.start(self._fire(timer, past_due=False))
        return timer is not None

    async def _watch(self, timer: _Timer) -> None:
        if timer.on_startup:
            await self._fire(timer, past_due=False)
        due = await self._first(timer)
        never = asyncio.Event()
        while True:
            catching_up = self._runs_too_often(timer, due)
            if catching_up:
                due = self._clock.heading()
            await self._clock.sleep_until(due, never)
            await self._fire(timer, past_due=catching_up)
            due = await self._remember(timer, last=due)

    def _runs_too_often(self, timer: _Timer, due: datetime) -> bool:
        """Tell whether it would run many times before a clock that is moved comes to a halt."""
        heading = self._clock.heading()
        for _ in range(_MOST_ON_THE_WAY + 1):
            if due > heading:
                return False
            due = timer.schedule.next_after(due)
        return True

    async def _first(self, timer: _Timer) -> datetime:
        known = await self._store.trigger(timer.name) if timer.monitored else None
        if known and _missed(timer, known, self._clock.now()):
            await self._fire(timer, past_due=True)
            return await self._remember(timer, last=read_stamp(known[1]))
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

    async def _fire(self, timer: _Timer, *, past_due: bool) -> None:
        body = json.dumps(
            {
                "Schedule": {"AdjustForDST": True},
                "ScheduleStatus": await self._status(timer),
                "IsPastDue": past_due,
            }
        )
        self._console.line(f"timer {timer.name}{' past due' if past_due else ''}")
        failure = await self._call(timer, body, retries=0)
        retries, never = 0, asyncio.Event()
        while failure and timer.retry and timer.retry.allows(retries):
            due = self._clock.now() + timer.retry.pause(retries)
            await self._clock.sleep_until(due, never)
            retries += 1
            self._console.line(f"timer {timer.name} retry {retries}")
            failure = await self._call(timer, body, retries=retries, before=failure)

    async def _call(
        self, timer: _Timer, body: str, *, retries: int, before: Answer | None = None
    ) -> Answer | None:
        """Call the function, and return how it failed; None if it didn't.

        Args:
            timer: Which function.
            body: What it is told.
            retries: How many times it has been called for the same time.
            before: How it failed last.
        """
        most = timer.retry.most if timer.retry else 0
        retry = {"count": retries, "most": most}
        if before is not None:
            retry |= {"message": before.error, "stack": before.stack}
        call = Call(function=timer.name, body=body.encode(), extra={"retry": retry})
        try:
            # The worker prints what the function raises.
            answer = await self._app.call(call)
        except CallLost as lost:
            self._console.line(f"timer {timer.name}: {lost}")
            return Answer(error=str(lost))
        return answer if answer.error is not None else None

    async def _status(self, timer: _Timer) -> dict[str, str | None] | None:
        known = await self._store.trigger(timer.name)
        if known is None:
            return None
        last, following, updated = known
        return {"Last": last, "Next": following, "LastUpdated": updated}


def _missed(timer: _Timer, known: tuple[str | None, str, str], now: datetime) -> bool:
    """Tell whether a time has passed that is one of the schedule as it is now."""
    _, due, updated = known
    unchanged = due == stamp(timer.schedule.next_after(read_stamp(updated)))
    return unchanged and read_stamp(due) <= now


def _timers(functions: Iterable[Function], settings: Settings) -> list[_Timer]:
    zone = _zone(settings.environment.get("WEBSITE_TIME_ZONE"))
    return [_timer(function, settings, zone) for function in functions]


def _timer(function: Function, settings: Settings, zone: ZoneInfo | timezone) -> _Timer:
    trigger = function.trigger
    schedule = Schedule(settings.expand(function.schedule), zone)
    # What runs so often isn't remembered by the platform either.
    often = schedule.recurs_within_a_minute
    return _Timer(
        name=function.name,
        trigger={**trigger, "name": function.name},
        schedule=schedule,
        retry=retry_policy(function.retry),
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
