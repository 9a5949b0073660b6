"""The app's worker processes: one takes the calls, and is replaced when it has to be."""

from __future__ import annotations

import asyncio
import time
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from devhost.app.launcher import Launcher
from devhost.app.worker_process import WorkerProcess
from devhost.background import Background
from devhost.console import Console
from devhost.errors import AppBroken, AppNotLoaded, AppUnavailable
from devhost.functions.catalogue import Catalogue

_LONGEST_PAUSE = 5.0
_SPARE_WORKERS = 4
# A request must not wait for ever for an app that takes its time to import.
_PATIENCE = 20.0
# How long calls may go on in a worker process that gets no new ones.
_GRACE = 10.0


class Workers:
    """Starts worker processes when they are needed, and ends them all in the end.

    Args:
        launcher: Starts the processes.
        background: Runs what goes on beside the calls; it is closed with this.
        catalogue: The functions of an earlier host, until the app has been imported.
        started: Called each time that a worker process has replaced another.
        mended: Whether `replace` will be called once a broken app has been mended. Otherwise it
            is tried again and again, as it is in any case while no worker gets as far as to say
            that the app is broken.

    Attributes:
        catalogue: The app's functions.
    """

    def __init__(
        self,
        launcher: Launcher,
        console: Console,
        *,
        background: Background,
        catalogue: Catalogue | None = None,
        started: Callable[[], None] = lambda: None,
        mended: bool = False,
    ) -> None:
        self.catalogue = catalogue or Catalogue()
        self._launcher = launcher
        self._console = console
        self._background = background
        self._started = started
        self._mended = mended
        self._current: asyncio.Future[WorkerProcess] = asyncio.get_running_loop().create_future()
        self._all: set[WorkerProcess] = set()
        self._spare = asyncio.Semaphore(_SPARE_WORKERS)
        self._unfit = asyncio.Event()
        self._reason = ""
        self._broken = asyncio.Event()

    @property
    def broken(self) -> bool:
        """Whether the app could not be imported when that was tried last."""
        return self._broken.is_set()

    async def open(self, *, patient: bool = False) -> None:
        """Start the first worker.

        Args:
            patient: Whether to go on trying if the app can't be imported.

        Raises:
            AppNotLoaded: It has not been imported; the reason was printed.
        """
        await self._launcher.open()
        worker, failure = None, None
        try:
            worker = await self._launch()
            self._current.set_result(worker)
        except AppNotLoaded as error:
            if not patient:
                raise
            failure = error
        self._background.start(self._keep(worker, failure))

    async def close(self) -> None:
        """End all workers."""
        await self._background.close()
        await asyncio.gather(*(worker.end() for worker in self._all))
        self._launcher.close()

    def replace(self, reason: str) -> None:
        """Have new calls run in a new worker; what runs in the present one may still end."""
        self._reason = reason
        self._unfit.set()

    async def present(self, *, patient: bool) -> WorkerProcess:
        """Return the worker that takes calls.

        Args:
            patient: Whether to wait for it however long it takes.

        Raises:
            AppUnavailable: There is none, and patience is at its end.
        """
        give_up = time.monotonic() + _PATIENCE
        # One that has just come may be dead already.
        while not (self._current.done() and self._current.result().alive):
            self._vacate()
            if patient:
                await asyncio.wait({self._current})
            else:
                await self._arrival(give_up)
        return self._current.result()

    @asynccontextmanager
    async def spare(self) -> AsyncIterator[WorkerProcess]:
        """Start a worker for a single call, and end it after that."""
        async with self._spare:
            worker = await self._relaunch()
            try:
                yield worker
            finally:
                await self._end(worker)

    async def _arrival(self, give_up: float) -> None:
        current, broken = self._current, asyncio.create_task(self._broken.wait())
        left = max(give_up - time.monotonic(), 0)
        try:
            await asyncio.wait({current, broken}, timeout=left, return_when=FIRST_COMPLETED)
        finally:
            broken.cancel()
        if not current.done():
            raise AppUnavailable

    def _vacate(self) -> None:
        if self._current.done():
            self._current = asyncio.get_running_loop().create_future()

    async def _keep(self, worker: WorkerProcess | None, failure: AppNotLoaded | None) -> None:
        while True:
            if worker is not None:
                await self._until_unfit(worker)
                self._vacate()
                await self._leave(worker)
            worker = await self._relaunch(failure, mended=self._mended)
            failure = None
            self._current.set_result(worker)
            self._started()

    async def _until_unfit(self, worker: WorkerProcess) -> None:
        unfit = asyncio.create_task(self._unfit.wait())
        try:
            await asyncio.wait({worker.ended, worker.overdue, unfit}, return_when=FIRST_COMPLETED)
        finally:
            unfit.cancel()

    async def _leave(self, worker: WorkerProcess) -> None:
        if worker.alive:
            reason = worker.overdue.result() if worker.overdue.done() else self._reason
            self._console.line(f"{reason}; starting another worker process")
            self._background.start(self._see_off(worker))
        else:
            await self._end(worker)
            self._console.line(f"{worker.fate}; starting another")

    async def _relaunch(
        self, failure: AppNotLoaded | None = None, *, mended: bool = False
    ) -> WorkerProcess:
        pause = 0.1
        while True:
            if failure is not None:
                await self._rest(failure, pause, mended=mended)
                pause = min(2 * pause, _LONGEST_PAUSE)
            if mended:
                # What has changed until now is in what is imported.
                self._unfit.clear()
            try:
                worker = await self._launch()
            except AppNotLoaded as error:
                failure = error
            else:
                self._broken.clear()
                return worker

    async def _rest(self, failure: AppNotLoaded, pause: float, *, mended: bool) -> None:
        """Wait until another try may succeed."""
        if isinstance(failure, AppBroken):
            self._broken.set()
        else:
            self._broken.clear()
        if self.broken and mended:
            self._console.line(f"{failure}; trying again after a file of it changes")
            await self._unfit.wait()
        else:
            self._console.line(f"{failure}; trying again after {pause:g} s")
            await asyncio.sleep(pause)

    async def _launch(self) -> WorkerProcess:
        worker = await self._launcher.launch()
        self._all.add(worker)
        self.catalogue = worker.catalogue
        return worker

    async def _see_off(self, worker: WorkerProcess) -> None:
        await worker.see_off(_GRACE)
        self._all.discard(worker)

    async def _end(self, worker: WorkerProcess) -> None:
        await worker.end()
        self._all.discard(worker)
