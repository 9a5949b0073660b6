"""Where a source came from, and what is only stated of it, as whoever reads of it is told."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict

LONGEST_ADDRESS = 2_000

HANDED_OVER = frozenset({"request", "service"})
"""Kinds of sources whose title and address are the word of whoever handed them over."""

_STATED = re.compile(r"https?://(?P<host>[^\s/?#\\]+)[^\s\\<>\"]*", re.IGNORECASE)


class Origin(BaseModel):
    """How a source came to us, which its own text can't say.

    Attributes:
        kind: `library`, a file of the operator's folder; `request`, brought by the requester;
            `fetched`, read by us at the source's address; `service`, handed over by a search
            service.
        service: which service found it or handed it over; nothing for the other kinds.
        by: the name of who brought it with the request; nothing for the other kinds, and where
            that was not recorded yet.
        at: when it was fetched or handed over, in UTC (ISO 8601); nothing for the other kinds.
        digest: SHA-256 of the bytes as they came; of its text where it came as text.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    kind: Literal["library", "request", "fetched", "service"]
    service: str = ""
    by: str = ""
    at: str = ""
    digest: str


def stated_address(text: str | None) -> str | None:
    r"""Return an address as it may be shown; None if it is none of the web, or a deceptive one.

    What stands before an `@` is a user name, however much it looks like a host, and some programs
    take `\` for `/`.
    """
    found = _STATED.fullmatch(text or "")
    if found is None or len(found.group()) > LONGEST_ADDRESS or "@" in found["host"]:
        return None
    return found.group()
