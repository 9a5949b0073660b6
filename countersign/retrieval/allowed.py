"""Where research may look, as the settings have it: offline, unless they say otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from countersign.retrieval.searches import Searches, read_searches

SETTING = "COUNTERSIGN_SOURCES"
LOOPBACK = "COUNTERSIGN_TEST_LOOPBACK"

LIBRARY = "library"
PAGES = "pages"
LookIn: TypeAlias = Literal["library", "wikipedia", "mcp", "azure_search", "web_search"]
"""What a request can name as where to look. Pages are named by their addresses."""
LOOK_IN: tuple[str, ...] = get_args(LookIn)

MOST_ADDRESSES = 20
"""Pages that one request can name."""

_LOCAL_SERVER = re.compile(r"(127\.0\.0\.1|localhost|\[::1\]):\d{1,5}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowed:
    """What is turned on.

    Attributes:
        names: of LOOK_IN, and PAGES where requesters may name pages.
        searches: the searches that are turned on.
        loopback: servers of this machine that pages may be fetched from, for tests.
    """

    names: tuple[str, ...] = (LIBRARY,)
    searches: Searches = field(default_factory=Searches)
    loopback: frozenset[str] = field(default_factory=frozenset)

    @property
    def look_in(self) -> tuple[str, ...]:
        """What requests can name as where to look."""
        return tuple(name for name in LOOK_IN if name in self.names)

    @property
    def most_addresses(self) -> int:
        """How many pages a request can name."""
        return MOST_ADDRESSES if PAGES in self.names else 0

    def faults(
        self, look_in: tuple[str, ...] | None, *, addresses: bool, documents: bool
    ) -> dict[str, str]:
        """Return the faults of a request that uses places not enabled here, by field.

        Args:
            look_in: what it names as where to look; None if it names nothing.
            addresses: whether it names pages.
            documents: whether it brings documents.
        """
        faults: dict[str, str] = {}
        off = [name for name in look_in or () if name not in self.names]
        if off:
            faults["look_in"] = f"{', '.join(off)}: not turned on here; choose from {self._on()}"
        if addresses and PAGES not in self.names:
            faults["addresses"] = "reading web pages is not turned on here"
        if look_in is None and not (addresses or documents or LIBRARY in self.names):
            faults["look_in"] = f"choose where to look: {self._on()}"
        return faults

    def _on(self) -> str:
        return ", ".join(self.look_in) or "documents that come with the request"


def read_allowed(environment: Mapping[str, str], *, in_azure: bool) -> Allowed:
    """Read where research may look: `library` alone where nothing is set.

    Args:
        environment: the settings.
        in_azure: whether this is the app in Azure, where no local server is ever read.

    Raises:
        ValueError: a setting is something else.
    """
    text = environment.get(SETTING) or LIBRARY
    names = tuple(dict.fromkeys(text.replace(",", " ").split()))
    known = (*LOOK_IN, PAGES)
    if not names or not set(names) <= set(known):
        raise ValueError(f"{SETTING} must contain only the names {', '.join(known)}, not {text!r}")
    return Allowed(
        names=names,
        searches=read_searches(environment, names),
        loopback=_loopback(environment, in_azure),
    )


def _loopback(environment: Mapping[str, str], in_azure: bool) -> frozenset[str]:
    servers = environment.get(LOOPBACK, "").replace(",", " ").split()
    if not servers:
        return frozenset()
    if in_azure:
        raise ValueError(f"{LOOPBACK} is for tests on one machine and must not be set in Azure")
    if not all(map(_LOCAL_SERVER.fullmatch, servers)):
        raise ValueError(f"{LOOPBACK} must name servers such as 127.0.0.1:8080")
    return frozenset(servers)
