"""The parts of a host between two starts: put together, opened and closed in order."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from devhost.api.payloads import client_binding
from devhost.app.launcher import Launcher, WorkerOptions
from devhost.app.source_files import SETTINGS, SourceFiles
from devhost.app.supervisor import Supervisor
from devhost.app.workers import Workers
from devhost.background import Background
from devhost.config.settings import Settings, read_settings
from devhost.console import Console
from devhost.engine.orchestrations import Orchestrations
from devhost.engine.timer_triggers import TimerTriggers
from devhost.engine.weather import FAIR, Weather, weather
from devhost.errors import UsageError
from devhost.functions.catalogue import Catalogue
from devhost.options import Options
from devhost.state.folder import DataFolder
from devhost.state.store import Store
from devhost.time.clock import Clock
from devhost.time.virtual_clock import VirtualClock

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_FULL = "The disk is full: what happens from now on waits until there is room to record it."


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """What stays the same from one start to the next.

    Attributes:
        origin: The host's URL, without a slash at its end.
        failed: Called with the reason once the state can't be written any more, or a part of the
            host has failed.
        restart: Called when the app's settings have changed.
        source: What tells of changes since the settings were read first; None if nobody follows
            them. It goes on from one start to the next: else what changed in between was missed.
    """

    options: Options
    folder: DataFolder
    clock: Clock
    console: Console
    origin: str
    failed: Callable[[str], None]
    restart: Callable[[Settings], None]
    source: SourceFiles | None


class Session:
    """Everything that a host does from a start to the next.

    Args:
        catalogue: The functions of the session before. While the app is broken they are what the
            instances wait for.
    """

    def __init__(
        self, around: Surroundings, settings: Settings, catalogue: Catalogue | None = None
    ) -> None:
        self._around = around
        self._settings = settings
        self._catalogue = catalogue
        self._stack = AsyncExitStack()
        self._announced: tuple[str, ...] = ()

    async def open(self, *, patient: bool) -> ASGIApp:
        """Start the app, and return what answers requests.

        Args:
            patient: Whether to go on trying if the app can't be imported.

        Raises:
            AppNotLoaded: The app can't be imported.
            UsageError: A timer's schedule can't be read.
        """
        around, settings = self._around, self._settings
        store = Store(around.folder.state, around.failed, partial(around.console.line, _FULL))
        self._stack.push_async_callback(store.close)
        self._workers = self._new_workers()
        self._stack.push_async_callback(self._workers.close)
        # What answers requests takes a good part of the time in which a worker imports an app.
        await asyncio.gather(
            self._workers.open(patient=patient),
            asyncio.to_thread(importlib.import_module, "devhost.web"),
        )
        self._app = Supervisor(self._workers, around.console, settings.seconds)
        self._engine = Orchestrations(
            store,
            app=self._app,
            clock=around.clock,
            console=around.console,
            background=self._background(),
            limits=replace(around.options.limits, **settings.durable.at_a_time),
            version=settings.durable.version,
            replaces=settings.durable.replaces,
            weather=self._weather(),
        )
        self._stack.push_async_callback(self._engine.close)
        self._timers = TimerTriggers(
            self._app,
            store,
            clock=around.clock,
            console=around.console,
            background=self._background(),
            settings=settings,
        )
        self._stack.push_async_callback(self._timers.close)
        self._follow_schedules(patient=patient, take=self._timers.read)
        if isinstance(around.clock, VirtualClock):
            parts = (self._app, self._engine, store)
            around.clock.busy = lambda: any(part.busy for part in parts)
        return self._web()

    def _new_workers(self) -> Workers:
        around = self._around
        return Workers(
            Launcher(self._settings, self._worker_options()),
            around.console,
            background=self._background(),
            catalogue=self._catalogue,
            started=self._renew,
            mended=around.options.reload,
        )

    async def begin(self) -> None:
        """Take up the work; what is taken up calls back over HTTP, so that has to be served."""
        await self._engine.open()
        self._timers.open()
        if unheeded := self._settings.without_effect:
            self._around.console.line(f"set, and without effect here: {', '.join(unheeded)}")
        self._announce()
        if self._around.source is not None:
            following = self._background()
            following.start(self._follow(self._around.source))
            self._stack.push_async_callback(following.close)

    @property
    def catalogue(self) -> Catalogue:
        """The app's functions."""
        return self._workers.catalogue

    async def close(self) -> None:
        """Stop; what is under way is taken up at the next start."""
        await self._stack.aclose()

    def _background(self) -> Background:
        return Background(self._around.console, self._around.failed)

    def _weather(self) -> Weather:
        options, hidden = self._around.options, self._settings.durable.hidden
        found = weather(options.weather, options.seed, hidden)
        if found is not FAIR:
            self._around.console.line(
                f"--weather {options.weather} --weather-seed {options.seed}; messages stay hidden"
                f" for {hidden.messages:g} s after a start, activities for {hidden.activities:g} s"
            )
        return found

    def _web(self) -> ASGIApp:
        from devhost.web import web

        return web(
            self._around,
            self._settings,
            workers=self._workers,
            app=self._app,
            engine=self._engine,
            timers=self._timers,
        )

    def _worker_options(self) -> WorkerOptions:
        around, options = self._around, self._around.options
        environment = {
            "DEVHOST_URL": around.origin,
            "DEVHOST_CLIENT": client_binding(around.origin, self._settings.durable.hub),
            "DEVHOST_VERBOSE": "yes" if options.verbose else "",
            "DEVHOST_LEVELS": json.dumps(self._settings.levels),
            "WEBSITE_HOSTNAME": around.origin.partition("//")[2],
        }
        if options.reload:
            # Python takes a change for none that keeps the size, in the second of the one before.
            environment["PYTHONDONTWRITEBYTECODE"] = "1"
        if isinstance(around.clock, VirtualClock):
            environment["DEVHOST_CLOCK_FILE"] = str(around.folder.clock)
        return WorkerOptions(
            python=options.python, environment=environment, memory=options.worker_memory
        )

    def _renew(self) -> None:
        self._announce()
        self._follow_schedules(patient=True, take=self._timers.refresh)

    def _follow_schedules(self, *, patient: bool, take: Callable[[], None]) -> None:
        try:
            take()
        except UsageError as error:
            if not patient:
                raise
            self._around.console.line(f"{error}; the timer functions stay as they were")

    def _announce(self) -> None:
        lines = (*self.catalogue.remarks, *self.catalogue.unsupported())
        for line in lines:
            if line not in self._announced:
                self._around.console.line(line)
        self._announced = lines

    async def _follow(self, source: SourceFiles) -> None:
        while True:
            changed = await source.changed()
            reason = f"{', '.join(changed[:3])}{' …' if changed[3:] else ''} changed"
            if not set(SETTINGS).isdisjoint(changed):
                self._reread(reason)
            else:
                self._workers.replace(reason)

    def _reread(self, reason: str) -> None:
        console = self._around.console
        try:
            options = self._around.options
            settings = read_settings(options.app, local=options.local_settings)
        except UsageError as error:
            console.line(f"{error}; the settings stay as they were")
        else:
            console.line(f"{reason}; starting again")
            self._around.restart(settings)
