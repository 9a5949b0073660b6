"""The host as a whole: its parts put together, started and stopped in order."""

from __future__ import annotations

import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from devhost.catalogue import Catalogue
from devhost.clock import Clock
from devhost.console import Console
from devhost.errors import PortTaken, StateUnusable, UsageError
from devhost.folder import DataFolder
from devhost.management import Management
from devhost.orchestrations import Orchestrations
from devhost.payloads import client_binding
from devhost.server import LOOPBACK, web_app
from devhost.settings import read_settings
from devhost.signin import Signin
from devhost.store import Store
from devhost.supervisor import Supervisor
from devhost.timers import TimerTriggers
from devhost.triggers import HttpTriggers
from devhost.turns import Limits

# How long requests that are being answered may still take when the host is asked to stop.
_LAST_SECONDS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """What the command line says.

    Attributes:
        app: The folder of the app.
        data: The folder of everything that outlives the process.
        address: The loopback address to listen on.
        port: The port to listen on; 0 for a free one.
        verbose: Whether the app's debug messages are wanted.
        limits: What orchestrations may take.
    """

    app: Path
    data: Path
    address: str = "127.0.0.1"
    port: int = 7071
    verbose: bool = False
    limits: Limits = field(default_factory=Limits)


class Host:
    """Runs one app.

    Raises:
        UsageError: The options or the app's settings are wrong, or the port is taken.
        StateUnusable: Another host has the data folder.
    """

    def __init__(self, options: Options, clock: Clock) -> None:
        self._options = options
        self._clock = clock
        self._console = Console(clock)
        self._settings = read_settings(options.app)
        self._folder = DataFolder(options.data)
        self._folder.lock()
        self._listener = _listen(options.address, options.port)
        self._origin = _origin(self._listener)
        self._server: uvicorn.Server | None = None
        self._failure = ""

    async def run(self) -> None:
        """Serve until the process is asked to stop.

        Raises:
            AppBroken: The app can't be imported.
            StateUnusable: The state can't be written any more.
            UsageError: A timer's schedule can't be read.
        """
        async with AsyncExitStack() as stack:
            self._server = await self._assemble(stack)
            await self._server.serve(sockets=[self._listener])
        if self._failure:
            raise StateUnusable(self._failure)

    async def _assemble(self, stack: AsyncExitStack) -> uvicorn.Server:
        store = Store(self._folder.state, self._fail)
        stack.push_async_callback(store.close)
        app = Supervisor(self._settings, self._worker_environment(), self._console)
        stack.push_async_callback(app.close)
        await app.open()
        engine = Orchestrations(
            store,
            app=app,
            clock=self._clock,
            console=self._console,
            limits=self._options.limits,
            version=self._settings.version,
        )
        stack.push_async_callback(engine.close)
        timers = TimerTriggers(app, store, self._clock, self._console, self._settings)
        stack.push_async_callback(timers.close)

        async def begin() -> None:
            await engine.open()
            timers.open()
            self._announce(app.catalogue)

        web = web_app(
            management=Management(engine, self._settings.hub),
            triggers=HttpTriggers(app, self._settings.prefix),
            timers=timers,
            signin=Signin(self._folder.path, self._clock.now).routes(),
            console=self._console,
        )
        return _Server(web, begin)

    def _announce(self, catalogue: Catalogue) -> None:
        for function in catalogue.idle():
            self._console.line(f"{function.name} won't run: {function.kind} is not supported here")
        print(f"devhost listening on {self._origin}", flush=True)

    def _fail(self, reason: str) -> None:
        self._failure = reason
        if self._server is not None:
            self._server.should_exit = True

    def _worker_environment(self) -> dict[str, str]:
        return {
            "DEVHOST_URL": self._origin,
            "DEVHOST_CLIENT": client_binding(self._origin, self._settings.hub),
            "DEVHOST_ORCHESTRATORS": str(self._options.limits.episodes),
            "DEVHOST_LOG_LEVEL": "DEBUG" if self._options.verbose else "INFO",
        }


class _Server(uvicorn.Server):
    """Begins the work once HTTP is served: what is taken up again calls back over HTTP."""

    def __init__(self, app: ASGIApp, begin: Callable[[], Awaitable[None]]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                server_header=False,
                timeout_graceful_shutdown=_LAST_SECONDS,
            )
        )
        self._begin = begin

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # uvicorn would send the signal to itself again, before the state is closed.
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        await self._begin()


def _listen(address: str, port: int) -> socket.socket:
    if address not in LOOPBACK:
        raise UsageError(f"devhost listens on loopback addresses only, and {address} is none")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where the protocol is named; left on, it makes every
    # answer wait 40 ms for the client's acknowledgement of its first part.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name != "nt":
        # Right after a crash the port is still taken by its dead connections.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise PortTaken(port) from error
    return listener


def _origin(listener: socket.socket) -> str:
    address, port = listener.getsockname()[:2]
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
