"""What a web site lets programs read: its robots.txt (RFC 9309)."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import httpx
from protego import Protego

MOST_BYTES = 512_000
"""Of a robots.txt; the RFC asks for at least 500 KiB, and the rest is not looked at."""

MOST_SITES = 500
LONGEST_AGE = 3_600.0
"""Seconds after which a site's rules are asked for again; the RFC allows a day."""

ReadAddress = Callable[[httpx.URL], Awaitable[tuple[int, bytes]]]
"""Gives the status and the first MOST_BYTES of an address; raises httpx.TransportError."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Rules:
    rules: Protego | None
    at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Robots:
    """The rules of the sites that were asked, each kept for a while.

    Attributes:
        agent: the name by which a site's rules may speak of us.
        read: how a robots.txt is read.
        monotonic: seconds that only grow.
    """

    agent: str
    read: ReadAddress
    monotonic: Callable[[], float] = time.monotonic
    _known: OrderedDict[str, _Rules] = field(default_factory=OrderedDict, init=False)

    async def refusal(self, url: httpx.URL) -> str | None:
        """Return why a page must not be read; None if it may be.

        Raises:
            httpx.TransportError: the site can't be asked.
        """
        site = f"{url.scheme}://{url.netloc.decode('ascii')}"
        known = self._known.get(site)
        if known is None or self.monotonic() - known.at > LONGEST_AGE:
            known = _Rules(rules=await self._rules(site), at=self.monotonic())
            self._known[site] = known
            while len(self._known) > MOST_SITES:
                self._known.popitem(last=False)
        if known.rules is None:
            return "the robots.txt of its site can't be read now"
        allowed = known.rules.can_fetch(str(url), self.agent)
        return None if allowed else "the robots.txt of its site doesn't allow programs to read it"

    async def _rules(self, site: str) -> Protego | None:
        status, data = await self.read(httpx.URL(f"{site}/robots.txt"))
        if status == 429 or status >= 500:
            return None
        return Protego.parse(data.decode("utf-8", "replace") if status == 200 else "")
