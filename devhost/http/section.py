"""What host.json's `extensions.http` asks of every request and answer: limits, and headers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import nullcontext

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from devhost.config.http_section import HttpSection


class SectionHeaders:
    """Puts the section's headers into every answer."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self._app = app
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and complete its answer."""

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    given.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, complete)


class Throttle:
    """Answers 429 to what goes over the section's limits."""

    def __init__(self, app: ASGIApp, section: HttpSection) -> None:
        self._app = app
        self._most = section.outstanding
        self._outstanding = 0
        limit = section.concurrent
        self._turn = nullcontext() if limit is None else asyncio.Semaphore(limit)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on when its turn comes, or refuse it."""
        if self._most is not None and self._outstanding >= self._most:
            refusal = Response(status_code=429, headers={"X-FUNCTION-SCALEOUT": "1"})
            await refusal(scope, receive, send)
            return
        self._outstanding += 1
        try:
            async with self._turn:
                await self._app(scope, receive, send)
        finally:
            self._outstanding -= 1
