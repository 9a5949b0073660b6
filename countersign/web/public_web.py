"""Connections to the public internet alone, to the very addresses that were checked."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Collection
from typing import Any

import httpx

from countersign.web.addresses import IPAddress, UnfitAddress, check_port, is_public

MOST_TRIES = 3
"""Addresses of one host that a connection is tried to."""


class NotPublic(UnfitAddress):
    """A host has an address that is not one of the public internet's."""


class PublicWeb(httpx.AsyncBaseTransport):
    """A transport that connects to public addresses, and never asks for a name twice.

    A name is resolved once; all its addresses are checked, and the connection goes to one of them
    by its number, so that a name which leads elsewhere a moment later leads nowhere. No proxy is
    used: it would resolve the name again. Each request has a connection of its own: one that is
    kept would be found again by its number, whatever name its certificate was checked against.

    Args:
        also: hosts with their ports (`127.0.0.1:8080`) that may be read although they are not
            public: for tests, which have no other server.
        trust: the roots that certificates go back to.
    """

    def __init__(self, also: Collection[str] = (), *, trust: ssl.SSLContext) -> None:
        limits = httpx.Limits(max_keepalive_connections=0)
        self._inner = httpx.AsyncHTTPTransport(verify=trust, limits=limits)
        self._also = frozenset(also)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request.

        Raises:
            UnfitAddress: it would go to another port than a web server's, or (NotPublic) to an
                address that is not public.
            httpx.TransportError: no answer came.
        """
        url = request.url
        allowed = url.netloc.decode("ascii") in self._also
        if not allowed:
            check_port(url)
        addresses = await _resolved(url)
        if not allowed and not all(map(is_public, addresses)):
            raise NotPublic("its host is not on the public internet")
        return await self._sent(request, addresses[:MOST_TRIES])

    async def aclose(self) -> None:
        """Close what is open."""
        await self._inner.aclose()

    async def _sent(self, request: httpx.Request, addresses: list[IPAddress]) -> httpx.Response:
        *others, last = addresses
        for address in others:
            try:
                return await self._inner.handle_async_request(_to(address, request))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await self._inner.handle_async_request(_to(last, request))


def _to(address: IPAddress, request: httpx.Request) -> httpx.Request:
    """Put the number in place of the name; the certificate has to be the name's."""
    host = request.url.raw_host.decode("ascii")
    return httpx.Request(
        request.method,
        request.url.copy_with(host=str(address)),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": host},
    )


async def _resolved(url: httpx.URL) -> list[IPAddress]:
    host, port = url.raw_host.decode("ascii"), url.port or (443 if url.scheme == "https" else 80)
    loop = asyncio.get_running_loop()
    try:
        found: list[Any] = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpx.ConnectError("its host is not known") from error
    return list(dict.fromkeys(ipaddress.ip_address(address[0]) for *_, address in found))
