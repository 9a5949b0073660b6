"""Starts the worker process, gives it calls, and starts another when it ends."""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from devhost.app import Answer, Call
from devhost.catalogue import Catalogue, Function
from devhost.connection import Connection
from devhost.console import Console
from devhost.errors import AppBroken, CallLost, WorkerDied, WorkerEnded
from devhost.settings import Settings
from devhost.wire import receive

_LONGEST_PAUSE = 5.0
_SPARE_WORKERS = 4
# A worker ends with its connection, unless code that isn't Python's keeps it from noticing.
_LAST_SECONDS = 2.0
# A request must not wait for ever for an app that can't be started any more.
_PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
    connection: Connection

    async def end(self) -> None:
        self.connection.close()
        try:
            await asyncio.to_thread(self.process.wait, _LAST_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            await asyncio.to_thread(self.process.wait)


class Supervisor:
    """Implements `app.App` with one worker process at a time.

    Args:
        settings: The app and its environment.
        extra: What the worker is told besides, as environment variables.
    """

    def __init__(self, settings: Settings, extra: dict[str, str], console: Console) -> None:
        self._settings = settings
        self._extra = extra
        self._console = console
        self._catalogue = Catalogue()
        self._arrivals: dict[str, asyncio.Future[Connection]] = {}
        self._current: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self._keeper: asyncio.Task[None] | None = None
        self._spare = asyncio.Semaphore(_SPARE_WORKERS)

    @property
    def catalogue(self) -> Catalogue:
        """The app's functions."""
        return self._catalogue

    async def open(self) -> None:
        """Start the first worker.

        Raises:
            AppBroken: The app can't be imported; the worker has printed why.
        """
        self._server = await asyncio.start_server(self._arrive, "127.0.0.1", 0)
        worker = await self._launch()
        self._current.set_result(worker)
        self._keeper = asyncio.create_task(self._keep(worker))

    async def close(self) -> None:
        """End the worker."""
        if self._keeper is not None:
            self._keeper.cancel()
        if self._current.done():
            await self._current.result().end()
        self._server.close()

    async def call(self, call: Call) -> Answer:
        """Call a function; see `App.call`.

        A call that may be run again is, when its worker dies. The last try gets a worker of its
        own: neither can it take others with it then, nor can others take it with them.
        """
        deaths = 0
        while True:
            try:
                if 0 < deaths == call.attempts - 1:
                    return await self._call_alone(call)
                worker = await self._worker(call)
                return await worker.connection.call(call)
            except WorkerDied:
                deaths += 1
                if deaths >= call.attempts:
                    raise
            except WorkerEnded:
                if call.attempts == 1:
                    raise

    async def _call_alone(self, call: Call) -> Answer:
        async with self._spare:
            worker = await self._relaunch()
            listening = asyncio.create_task(worker.connection.listen())
            try:
                return await worker.connection.call(call)
            finally:
                await worker.end()
                await listening

    async def _worker(self, call: Call) -> _Worker:
        if self._current.done():
            return self._current.result()
        patience = _PATIENCE if call.attempts == 1 else None
        try:
            return await asyncio.wait_for(asyncio.shield(self._current), patience)
        except asyncio.TimeoutError:
            raise CallLost("the app could not be started") from None

    async def _keep(self, worker: _Worker) -> None:
        while True:
            await worker.connection.listen()
            self._current = asyncio.get_running_loop().create_future()
            await worker.end()
            self._console.line(
                f"the worker process ended ({worker.process.returncode}); starting another"
            )
            worker = await self._relaunch()
            self._current.set_result(worker)

    async def _relaunch(self) -> _Worker:
        pause = 0.1
        while True:
            try:
                return await self._launch()
            except AppBroken as broken:
                self._console.line(f"{broken}; trying again in {pause:g} s")
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _launch(self) -> _Worker:
        token = secrets.token_hex(16)
        arrival = self._arrivals[token] = asyncio.get_running_loop().create_future()
        process = subprocess.Popen(  # noqa: ASYNC220 - it takes a moment, and works on any loop
            [sys.executable, "-m", "devhost.worker"],
            cwd=self._settings.app,
            env=self._environment(token),
            stdin=subprocess.DEVNULL,
        )
        try:
            return _Worker(process, await self._introduce(process, arrival))
        except BaseException:
            process.kill()
            raise
        finally:
            self._arrivals.pop(token, None)

    async def _introduce(
        self, process: subprocess.Popen[bytes], arrival: asyncio.Future[Connection]
    ) -> Connection:
        exited = asyncio.create_task(asyncio.to_thread(process.wait))
        await asyncio.wait({arrival, exited}, return_when=asyncio.FIRST_COMPLETED)
        account = await arrival.result().index() if arrival.done() else None
        if account is None:
            raise AppBroken(f"the app in {self._settings.app} could not be started")
        self._catalogue = Catalogue(Function(**f) for f in account.header["functions"])
        return arrival.result()

    def _environment(self, token: str) -> dict[str, str]:
        port = self._server.sockets[0].getsockname()[1]
        path = [str(Path(__file__).parents[1]), self._settings.environment.get("PYTHONPATH")]
        return {
            **self._settings.environment,
            **self._extra,
            "DEVHOST_WIRE": f"{port}:{token}",
            "PYTHONPATH": os.pathsep.join(filter(None, path)),
            "PYTHONUNBUFFERED": "1",
        }

    async def _arrive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            greeting = await receive(reader)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            return
        arrival = self._arrivals.pop(greeting.header.get("token", ""), None)
        if arrival is None:
            writer.close()
        else:
            arrival.set_result(Connection(reader, writer))
