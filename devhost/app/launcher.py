"""Starts worker processes, and waits until they have imported the app."""

from __future__ import annotations

import asyncio
import secrets
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from devhost.app.connection import Connection
from devhost.app.worker_process import WorkerProcess
from devhost.config.settings import Settings
from devhost.errors import AppBroken, WorkerLost
from devhost.functions.catalogue import Catalogue, Function
from devhost.functions.function_errors import function_errors
from devhost.worker.wire import Frame, receive

_LOOK_SECONDS = 0.02
# What stands beside devhost is no part of the app: it must not be found in place of a module of it.
_BOOT = (
    "import sys; home = sys.argv.pop(); sys.path.append(home);"
    " from devhost.worker.__main__ import main; sys.path.remove(home); main()"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerOptions:
    """What worker processes are started with.

    Attributes:
        python: The interpreter.
        environment: What they are told besides the app's settings.
        memory: The most bytes that one may have resident.
        import_seconds: How long one may take to import the app.
    """

    python: str = sys.executable
    environment: Mapping[str, str] = field(default_factory=dict)
    memory: float = float("inf")
    import_seconds: float = 60.0


class Launcher:
    """Listens for the worker processes that it starts."""

    def __init__(self, settings: Settings, options: WorkerOptions) -> None:
        self._settings = settings
        self._options = options
        self._arrivals: dict[str, asyncio.Future[Connection]] = {}

    async def open(self) -> None:
        """Begin to listen."""
        self._server = await asyncio.start_server(self._arrive, "127.0.0.1", 0)

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    async def launch(self) -> WorkerProcess:
        """Start a worker process and return once it has imported the app.

        Raises:
            AppBroken: It could not, and has printed why.
            WorkerLost: It ended before, or takes too long.
        """
        token = secrets.token_hex(16)
        arrival = self._arrivals[token] = asyncio.get_running_loop().create_future()
        try:
            process = self._start(token)
            try:
                return await self._introduce(process, arrival)
            except BaseException:
                if arrival.done():
                    arrival.result().close()
                process.kill()
                process.wait()
                raise
        finally:
            self._arrivals.pop(token, None)

    def _start(self, token: str) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [self._options.python, "-c", _BOOT, str(Path(__file__).parents[2])],
                cwd=self._settings.app,
                env=self._environment(token),
                stdin=subprocess.DEVNULL,
            )
        except OSError as error:
            raise WorkerLost(f"{self._options.python} could not be started: {error}") from error

    async def _introduce(
        self, process: subprocess.Popen[bytes], arrival: asyncio.Future[Connection]
    ) -> WorkerProcess:
        limit = self._options.import_seconds
        try:
            account = await asyncio.wait_for(_account(process, arrival), limit)
        except asyncio.TimeoutError:
            raise WorkerLost(f"the app takes longer than {limit:g} s to import") from None
        if account is None:
            raise WorkerLost(
                f"the worker process ended ({process.returncode}) while it imported the app"
            )
        if account.header.get("broken"):
            raise AppBroken(f"the app in {self._settings.app} could not be started")
        catalogue = _catalogue(account.header, self._settings)
        return WorkerProcess(process, arrival.result(), catalogue, self._options.memory)

    def _environment(self, token: str) -> dict[str, str]:
        port = self._server.sockets[0].getsockname()[1]
        return {
            **self._settings.environment,
            **self._options.environment,
            "DEVHOST_WIRE": f"{port}:{token}",
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


def _catalogue(account: Mapping[str, Any], settings: Settings) -> Catalogue:
    functions = [
        Function(**function, disabled=settings.disables(function["name"]))
        for function in account["functions"]
    ]
    told = [f"{function.name} is disabled" for function in functions if function.disabled]
    errors = function_errors(functions, settings)
    told += [f"The '{name}' function is in error: {error}" for name, error in errors.items()]
    sound = [function for function in functions if function.name not in errors]
    return Catalogue(sound, [*account["remarks"], *told])


async def _account(
    process: subprocess.Popen[bytes], arrival: asyncio.Future[Connection]
) -> Frame | None:
    """Return the worker's account of the app, or None if it has ended without giving it."""
    exited = asyncio.create_task(_exit(process))
    try:
        await asyncio.wait({arrival, exited}, return_when=asyncio.FIRST_COMPLETED)
        account = await arrival.result().index() if arrival.done() else None
        if account is None:
            await exited
        return account
    finally:
        exited.cancel()


async def _exit(process: subprocess.Popen[bytes]) -> None:
    # A thread that waits would be missing wherever else the loop's own few are needed.
    while process.poll() is None:  # noqa: ASYNC110 - a process sets no event
        await asyncio.sleep(_LOOK_SECONDS)
