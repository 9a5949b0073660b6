"""Addresses that somebody states for a document, without anybody having read them."""

from __future__ import annotations

import re

LONGEST = 2_000

_STATED = re.compile(r"https?://(?P<host>[^\s/?#\\]+)[^\s\\<>\"]*", re.IGNORECASE)


def stated_address(text: str | None) -> str | None:
    r"""Return an address as it may be shown; None if it is none of the web, or a deceptive one.

    What stands before an `@` is a user name, however much it looks like a host, and some programs
    take `\` for `/`.
    """
    found = _STATED.fullmatch(text or "")
    if found is None or len(found.group()) > LONGEST or "@" in found["host"]:
        return None
    return found.group()
