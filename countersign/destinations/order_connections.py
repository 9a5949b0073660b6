"""Connections to purchasing systems: kept for looking orders up, a new one for each order.

On a kept connection, which the other side may close at that very moment, nobody could say whether
an order was taken. A look has no effect, so aiohttp repeats it once then, as it may by RFC 9110,
section 9.2.2; it never repeats a POST.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import aiohttp
import httpx

KEPT_SECONDS = 1.0
"""How long a connection is kept without use: servers keep theirs for longer."""

_kept: dict[
    asyncio.AbstractEventLoop, tuple[aiohttp.ClientSession, AsyncGenerator[None, None]]
] = {}
"""The session of each event loop, and what closes it."""


@asynccontextmanager
async def answer_to(request: Mapping[str, Any]) -> AsyncIterator[aiohttp.ClientResponse]:
    """Send a request, over a kept connection only if it is a look; the answer is read within.

    Raises:
        aiohttp.ClientError: there is no whole answer. Nothing was sent if it is a
            `ClientConnectorError` or a `ConnectionTimeoutError`.
    """
    if request["method"] == "GET":
        async with (await _kept_session()).request(**request) as answer:
            yield answer
    else:
        async with _session(force_close=True) as session, session.request(**request) as answer:
            yield answer


async def _kept_session() -> aiohttp.ClientSession:
    loop = asyncio.get_running_loop()
    if loop not in _kept:
        session = _session(keepalive_timeout=KEPT_SECONDS)
        closing = _closing(loop, session)
        _kept[loop] = session, closing
        # A loop closes the generators that were begun on it when it ends (`shutdown_asyncgens`).
        await anext(closing)
    return _kept[loop][0]


async def _closing(
    loop: asyncio.AbstractEventLoop, session: aiohttp.ClientSession
) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        del _kept[loop]
        await session.close()


def _session(**connections: Any) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        # However many orders there are at once, none waits for the connection of another one.
        connector=aiohttp.TCPConnector(limit=0, ssl=_trust(), **connections),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
    )


@cache
def _trust() -> ssl.SSLContext:
    # Reading all the certificates takes longer than most calls; httpx knows where there are some.
    return httpx.create_ssl_context()
