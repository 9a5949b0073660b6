"""What answers requests, and the server in front of it.

Nothing else imports it before it is needed, as it takes long: see `Session.open`.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from types import FrameType

import uvicorn
import uvicorn.protocols.http.h11_impl as h11_protocol
from starlette.types import ASGIApp

from devhost.api.management import Management
from devhost.app.calls import App
from devhost.app.workers import Workers
from devhost.config.settings import Settings
from devhost.engine.orchestrations import Orchestrations
from devhost.engine.timer_triggers import TimerTriggers
from devhost.guards import FORM_BYTES, bounded, own_pages_only
from devhost.http.clock_control import clock_routes
from devhost.http.server import web_app
from devhost.http.triggers import HttpTriggers
from devhost.identity.signin import Signin
from devhost.identity.suggestions import Suggestions
from devhost.page.overview import Overview
from devhost.page.queries import PageQueries
from devhost.session import Surroundings

# How long requests that are being answered may still take when the host is asked to stop.
_LAST_SECONDS = 3
# uvicorn has no phrase for these, and would end the connection in place of an answer.
h11_protocol.STATUS_PHRASES.update(dict.fromkeys(range(600, 1000), b""))


def web(
    around: Surroundings,
    settings: Settings,
    *,
    workers: Workers,
    app: App,
    engine: Orchestrations,
    timers: TimerTriggers,
) -> ASGIApp:
    """Return what answers the requests of a session."""
    suggestions = Suggestions.of(settings.environment)
    signin = Signin(around.folder.path, around.clock.now, suggestions)
    triggers = HttpTriggers(
        app, settings.prefix, signin.headers, around.console, settings.http.most_bytes
    )
    overview = Overview(
        PageQueries(around.folder.state),
        workers=workers,
        triggers=triggers,
        clock=around.clock,
        settings=settings,
    )
    return web_app(
        management=Management(engine, settings.durable.hub),
        triggers=triggers,
        timers=timers,
        own=[
            *signin.routes(),
            *bounded(own_pages_only(clock_routes(around.clock)), FORM_BYTES),
            *overview.routes(),
        ],
        console=around.console,
        settings=settings,
    )


class Server(uvicorn.Server):
    """Begins the work once HTTP is served: what is taken up again calls back over HTTP.

    Args:
        ending: Called when the process is asked to stop.
    """

    def __init__(
        self, app: ASGIApp, begin: Callable[[], Awaitable[None]], ending: Callable[[], None]
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                log_config=None,
                access_log=False,
                lifespan="off",
                server_header=False,
                timeout_graceful_shutdown=_LAST_SECONDS,
            )
        )
        self._begin = begin
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at a signal, and at once at a second one."""
        # uvicorn would send the signal to itself again, before the state is closed.
        self._ending()
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve, and begin."""
        await super().startup(sockets)
        await self._begin()
