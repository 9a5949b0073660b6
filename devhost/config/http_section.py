"""What host.json's `extensions.http` asks for besides the prefix: limits, and headers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from devhost.config.host_json import HostJson

_MOST_BYTES = 104_857_600
_UNLIMITED = -1
_BODY_LIMIT = "FUNCTIONS_REQUEST_BODY_SIZE_LIMIT"


@dataclass(frozen=True, kw_only=True, slots=True)
class HttpSection:
    """How HTTP functions are served.

    Attributes:
        outstanding: How many requests may wait or be answered at a time; None for any number.
        concurrent: How many may be answered at a time.
        headers: What every answer gets that hasn't a header of that name.
        most_bytes: The longest body that a function is given.
    """

    outstanding: int | None = None
    concurrent: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    most_bytes: int = _MOST_BYTES


def read_http_section(host: HostJson, environment: Mapping[str, str]) -> HttpSection:
    """Read the section; the limit of bodies is a setting.

    Raises:
        UsageError: A limit is no number.
    """
    http = "extensions:http"
    limit = environment.get(_BODY_LIMIT, "")
    return HttpSection(
        outstanding=_limit(host, f"{http}:maxOutstandingRequests"),
        concurrent=_limit(host, f"{http}:maxConcurrentRequests"),
        headers={name: str(value) for name, value in host.section(f"{http}:customHeaders").items()},
        # What is no number is passed over there, too.
        most_bytes=int(limit) if limit.isdecimal() else _MOST_BYTES,
    )


def _limit(host: HostJson, path: str) -> int | None:
    number = host.number(path, least=_UNLIMITED)
    return None if number == _UNLIMITED else number


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
