"""The sign-in alone, for an app that another host runs."""

from __future__ import annotations

import os
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from devhost.http.listener import listen, origin
from devhost.http.server import LoopbackOnly
from devhost.identity.signin import Signin
from devhost.identity.suggestions import Suggestions
from devhost.state.folder import DataFolder
from devhost.time.clock import SystemClock


class Issuer:
    """Serves the keys of the tokens that `devhost token` prints, and the sign-in pages.

    Args:
        data: The folder that keeps the signing key; hosts and issuers of one folder share it.
        port: The loopback port, or 0 for a free one.

    Raises:
        UsageError: The port is taken.
        StateUnusable: The folder can't be made, or written to.
    """

    def __init__(self, data: Path, port: int) -> None:
        suggestions = Suggestions.of(os.environ)
        signin = Signin(DataFolder(data).path, SystemClock().now, suggestions)
        self._listener = listen("127.0.0.1", port)
        self._app = LoopbackOnly(Starlette(routes=[Route("/", _start_page), *signin.routes()]))

    async def run(self) -> None:
        """Serve until the process is asked to stop."""
        config = uvicorn.Config(
            self._app, log_config=None, access_log=False, lifespan="off", server_header=False
        )
        print(f"sign-in listening on {origin(self._listener)}", flush=True)
        await uvicorn.Server(config).serve(sockets=[self._listener])


async def _start_page(_: Request) -> Response:
    return RedirectResponse("/.auth/login/dev")
