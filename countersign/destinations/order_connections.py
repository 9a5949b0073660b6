"""Connections to purchasing systems: kept for looking orders up, a new one for each order.

On a kept connection, which the other side may close at that very moment, nobody could say whether
an order was taken. A look has no effect, so it is repeated then.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, TypeVar

import httpx

T = TypeVar("T")

ReadAnswer = Callable[[httpx.Response], Awaitable[T]]
"""Reads an answer that has begun."""

KEPT_SECONDS = 1.0
"""How long a connection is kept without use: servers keep theirs for longer."""

_kept: dict[asyncio.AbstractEventLoop, tuple[httpx.AsyncClient, AsyncGenerator[None, None]]] = {}
"""The client of each event loop, and what closes it."""


async def once(request: Mapping[str, Any], read: ReadAnswer[T]) -> T:
    """Send a request over a new connection; returns what was read of the answer.

    Raises:
        httpx.HTTPError: there is no whole answer. Nothing was sent if it is a `ConnectError` or a
            `ConnectTimeout`.
    """
    async with _client(keep=0) as client, client.stream(**request) as response:
        return await read(response)


async def repeatable(request: Mapping[str, Any], read: ReadAnswer[T]) -> T:
    """Send a request that has no effect, over a kept connection if there is one.

    Raises:
        httpx.HTTPError: there is no whole answer.
    """
    connected: list[str] = []

    async def note(event: str, _info: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.started":
            connected.append(event)

    client = await _kept_client()
    try:
        # https://www.encode.io/httpcore/extensions/#trace
        async with client.stream(**request, extensions={"trace": note}) as response:
            return await read(response)
    except (httpx.NetworkError, httpx.RemoteProtocolError):
        if connected:
            raise
    return await once(request, read)


async def _kept_client() -> httpx.AsyncClient:
    loop = asyncio.get_running_loop()
    if loop not in _kept:
        client = _client(keep=None)
        closing = _closing(loop, client)
        _kept[loop] = client, closing
        # A loop closes the generators that were begun on it when it ends (`shutdown_asyncgens`).
        await anext(closing)
    return _kept[loop][0]


async def _closing(
    loop: asyncio.AbstractEventLoop, client: httpx.AsyncClient
) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        del _kept[loop]
        await client.aclose()


def _client(*, keep: int | None) -> httpx.AsyncClient:
    # However many orders there are at once, none waits for the connection of another one.
    limits = httpx.Limits(
        max_connections=None, max_keepalive_connections=keep, keepalive_expiry=KEPT_SECONDS
    )
    return httpx.AsyncClient(
        follow_redirects=False,
        trust_env=False,
        verify=_trust(),
        limits=limits,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
    )


@cache
def _trust() -> ssl.SSLContext:
    # Reading all the certificates takes longer than most calls.
    return httpx.create_ssl_context()
