"""Fetch one page of the public web, within limits."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache

import httpx

from countersign.web.addresses import UnfitAddress, read_address
from countersign.web.public_web import PublicWeb
from countersign.web.robots import MOST_BYTES as MOST_ROBOTS_BYTES
from countersign.web.robots import Robots

LONGEST_SECONDS = 30.0
"""For a page with all its redirects and its site's robots.txt."""
MOST_BYTES = 5_000_000
MOST_REDIRECTS = 5
AGENT = "Countersign"
"""The name by which a robots.txt may speak of us."""

PAGES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "application/pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
}
"""The media types that are read, and the ending of a file of that type."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})

Check = Callable[[httpx.URL], Awaitable[None]]


class NotFetched(Exception):
    """A page can't be had, or must not be read; the message says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fetched:
    """What stood at an address.

    Attributes:
        address: where it was found in the end, after all redirects.
        media_type: as the site names it.
        charset: as the site names it, if it does.
        data: the bytes.
    """

    address: str
    media_type: str
    charset: str | None
    data: bytes


class Fetcher:
    """Reads pages of the public web, as a site's robots.txt lets it.

    Args:
        contact: an address at which a site's owner learns who reads.
        also: hosts that may be read although they are not public, see `PublicWeb`.
        seconds: how long a page may take.
        most_bytes: how large a page may be.
    """

    def __init__(
        self,
        *,
        contact: str | None = None,
        also: Collection[str] = (),
        seconds: float = LONGEST_SECONDS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._agent = f"{AGENT}/1 (+{contact})" if contact else f"{AGENT}/1"
        self._also = frozenset(also)
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._robots = Robots(agent=AGENT, read=self._read_robots)

    async def fetch(self, address: str) -> Fetched:
        """Read a page.

        Raises:
            NotFetched: it can't be had within the limits, or must not be read.
        """
        return await self._limited(address, PAGES, self._check_robots)

    async def call(self, address: str) -> bytes:
        """Ask an API that is made for programs, so that no robots.txt counts, for its JSON.

        Raises:
            NotFetched: it can't be had within the limits.
        """
        return (await self._limited(address, {"application/json"}, _check_nothing)).data

    async def _limited(self, address: str, types: Collection[str], check: Check) -> Fetched:
        try:
            work = self._fetch(read_address(address), types, check)
            return await asyncio.wait_for(work, self._seconds)
        except UnfitAddress as error:
            raise NotFetched(str(error)) from error
        except (asyncio.TimeoutError, httpx.TimeoutException) as error:
            raise NotFetched(f"it took longer than {self._seconds:g} seconds") from error
        except httpx.TransportError as error:
            raise NotFetched("the site can't be reached") from error

    async def _fetch(self, url: httpx.URL, types: Collection[str], check: Check) -> Fetched:
        async with self._opened(url, check) as response:
            if response.status_code != 200:
                raise NotFetched(f"the site answered with status {response.status_code}")
            media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            if media_type not in types:
                raise NotFetched(f"a page of the type {media_type[:60] or '(none)'} is not read")
            data = await _body(response, self._most_bytes)
            if len(data) > self._most_bytes:
                raise NotFetched(f"it has more than {self._most_bytes:,} bytes")
            return Fetched(
                address=str(response.request.url),
                media_type=media_type,
                charset=response.charset_encoding,
                data=data,
            )

    @asynccontextmanager
    async def _opened(self, url: httpx.URL, check: Check) -> AsyncIterator[httpx.Response]:
        """Return the answer of an address, or of the one that it leads to in the end."""
        # No encoding is asked for: a small compressed page can be a huge one.
        headers = {"User-Agent": self._agent, "Accept-Encoding": "identity"}
        transport = PublicWeb(also=self._also, trust=_trust())
        async with httpx.AsyncClient(transport=transport, headers=headers, timeout=None) as client:  # noqa: S113 - `fetch` limits the whole
            for _ in range(MOST_REDIRECTS + 1):
                await check(url)
                async with client.stream("GET", url) as response:
                    if response.status_code not in _REDIRECTS:
                        yield response
                        return
                    url = _target(url, response.headers.get("Location", ""))
        raise NotFetched(f"it redirects more than {MOST_REDIRECTS} times")

    async def _check_robots(self, url: httpx.URL) -> None:
        if refusal := await self._robots.refusal(url):
            raise NotFetched(refusal)

    async def _read_robots(self, url: httpx.URL) -> tuple[int, bytes]:
        async with self._opened(url, _check_nothing) as response:
            return response.status_code, await _body(response, MOST_ROBOTS_BYTES)


async def _check_nothing(url: httpx.URL) -> None:
    pass


async def _body(response: httpx.Response, most_bytes: int) -> bytes:
    """Return the body, cut soon after `most_bytes`."""
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise NotFetched("the site sends it compressed although that was not asked for")
    data = bytearray()
    async for part in response.aiter_raw(65_536):
        data += part
        if len(data) > most_bytes:
            break
    return bytes(data)


def _target(url: httpx.URL, location: str) -> httpx.URL:
    try:
        target = read_address(str(url.join(location)))
    except (UnfitAddress, httpx.InvalidURL, ValueError) as error:
        raise NotFetched(f"it redirects to an address that is not read: {error}") from error
    if (url.scheme, target.scheme) == ("https", "http"):
        raise NotFetched("it redirects from https to http")
    return target


@cache
def _trust() -> ssl.SSLContext:
    # Reading all the roots takes a while, so it is done once.
    return httpx.create_ssl_context(trust_env=False)
