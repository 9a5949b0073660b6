"""The purchasing system that orders go to: where it is, and how it keeps from ordering twice."""

from __future__ import annotations

import ipaddress
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

SETTING = "COUNTERSIGN_PURCHASING"

Guard: TypeAlias = Literal["key", "lookup"]
"""`key`: orders with the same `Idempotency-Key` are one order. `lookup`: orders can be found by
their reference."""

_GUARDS: Mapping[tuple[str, ...], frozenset[Guard]] = {
    (): frozenset({"key", "lookup"}),
    ("key", "lookup"): frozenset({"key", "lookup"}),
    ("key",): frozenset({"key"}),
    ("lookup",): frozenset({"lookup"}),
    ("none",): frozenset(),
}
_PARTS = ("TOKEN", "GUARDS", "TIMEOUT_SECONDS", "SETTLING_SECONDS")
_URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:(?P<port>[0-9]{1,5}))?"
    r"(/[A-Za-z0-9._~!$&'()*+,;=:%/-]*)?"
)
_TOKEN = re.compile(r"[!-~]{1,4096}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Purchasing:
    """A purchasing system.

    Attributes:
        url: what `/orders` follows, without a slash at its end.
        token: the bearer token (RFC 6750) that it wants, if any.
        guards: how it keeps from ordering twice.
        timeout_seconds: how long a call may take until its answer counts as lost.
        settling_seconds: how long after it was sent an order may still turn up.
    """

    url: str
    token: str | None = field(default=None, repr=False)
    guards: frozenset[Guard] = _GUARDS[()]
    timeout_seconds: float = 20.0
    settling_seconds: float = 300.0


def read_purchasing(environment: Mapping[str, str]) -> Purchasing | None:
    """Return the purchasing system that the settings name, None if they name none.

    `COUNTERSIGN_PURCHASING_URL` names it; `…_TOKEN`, `…_GUARDS`, `…_TIMEOUT_SECONDS` and
    `…_SETTLING_SECONDS` are about it.

    Raises:
        ValueError: one of them is malformed, or the first is missing; no secret is in the message.
    """
    url = _text(environment, "URL")
    if not url:
        stray = next((part for part in _PARTS if _text(environment, part)), None)
        if stray:
            raise ValueError(f"{SETTING}_{stray} is set, but {SETTING}_URL is missing")
        return None
    return Purchasing(
        url=_address(url),
        token=_token(environment),
        guards=_guards(environment),
        timeout_seconds=_seconds(environment, "TIMEOUT_SECONDS", 20.0, 0.1, 120.0),
        settling_seconds=_seconds(environment, "SETTLING_SECONDS", 300.0, 0.0, 86_400.0),
    )


def _text(environment: Mapping[str, str], part: str) -> str:
    return environment.get(f"{SETTING}_{part}", "").strip()


def _address(url: str) -> str:
    if not _is_address(url):
        # What else is in it may be a password.
        raise ValueError(
            f"{SETTING}_URL must be an address such as https://host/path (http only on this"
            " machine) without user name, query and fragment"
        )
    return url.rstrip("/")


def _is_address(url: str) -> bool:
    parts = _URL.fullmatch(url)
    if parts is None or not 0 < int(parts["port"] or 443) < 2**16:
        return False
    try:
        here = ipaddress.ip_address(parts["host"].strip("[]")).is_loopback
    except ValueError:
        if parts["host"].startswith("["):
            return False
        here = parts["host"] == "localhost"
    return here or parts["scheme"] == "https"


def _token(environment: Mapping[str, str]) -> str | None:
    token = _text(environment, "TOKEN")
    if token.startswith("@Microsoft.KeyVault("):
        raise ValueError(f"{SETTING}_TOKEN is a key vault reference that Azure could not resolve")
    if token and not _TOKEN.fullmatch(token):
        raise ValueError(f"{SETTING}_TOKEN must consist of visible ASCII characters without spaces")
    return token or None


def _guards(environment: Mapping[str, str]) -> frozenset[Guard]:
    text = _text(environment, "GUARDS")
    guards = _GUARDS.get(tuple(sorted(text.split())))
    if guards is None:
        raise ValueError(
            f"{SETTING}_GUARDS must be 'key lookup', 'key', 'lookup' or 'none', not {text!r}"
        )
    return guards


def _seconds(
    environment: Mapping[str, str], part: str, otherwise: float, least: float, most: float
) -> float:
    text = _text(environment, part) or str(otherwise)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise ValueError(
            f"{SETTING}_{part} has to be a number from {least:g} to {most:g}, not {text!r}"
        )
    return value
