"""The web server of the sample, which can hang up on a caller."""

from __future__ import annotations

import asyncio
import sys
from typing import ClassVar

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from devhost.http.listener import listen, origin


class Connections(H11Protocol):
    """One connection, which can be found by its caller's address as long as it is open."""

    # ASGI has no way to end a connection without an answer.
    _open: ClassVar[dict[tuple[str, int], asyncio.Transport]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Remember it."""
        super().connection_made(transport)
        if self.client:
            self._open[self.client] = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        if self.client:
            self._open.pop(self.client, None)
        super().connection_lost(exc)

    @classmethod
    def hang_up(cls, request: Request) -> None:
        """Close the connection that a request came on, without an answer."""
        if request.client and (
            transport := cls._open.get((request.client.host, request.client.port))
        ):
            transport.abort()


async def serve(app: Starlette, port: int) -> None:
    """Serve on a loopback port until the process is asked to stop; 0 is a free port.

    Raises:
        UsageError: the port can't be listened on.
    """
    listener = listen("127.0.0.1", port)
    config = uvicorn.Config(
        app, http=Connections, log_config=None, access_log=False, lifespan="off"
    )
    sys.stdout.write(f"A sample of a purchasing system listens on {origin(listener)}.\n")
    sys.stdout.flush()
    await uvicorn.Server(config).serve(sockets=[listener])
