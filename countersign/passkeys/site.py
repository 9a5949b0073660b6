"""The page that passkeys belong to, and for which approvals it takes one: what the settings say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from urllib.parse import urlsplit

REQUIRED = "COUNTERSIGN_PASSKEYS_REQUIRED"
DOMAIN = "COUNTERSIGN_PASSKEY_DOMAIN"

_AMOUNT = re.compile(r"([A-Z]{3})\s+(\d{1,12}(?:\.\d{1,4})?)")
_ROLE = re.compile(r"[A-Za-z][\w-]*(\.[\w-]+)+")
_DOMAIN = re.compile(r"(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*")
_ADDRESS = re.compile(r"\[.*\]|[\d.]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """Where passkeys are made and used.

    Attributes:
        origin: the page's scheme, host and port.
        domain: the domain that passkeys are bound to (WebAuthn's RP ID): the host or its parent.
    """

    origin: str
    domain: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Required:
    """Which approvals count only with a signature by the approver's own passkey.

    Attributes:
        roles: those in these roles.
        above: those of more than an amount, by its currency.
    """

    roles: frozenset[str] = frozenset()
    above: Mapping[str, Decimal] = field(default_factory=dict[str, Decimal])

    def __bool__(self) -> bool:
        """Whether any do."""
        return bool(self.roles or self.above)


def read_required(environment: Mapping[str, str]) -> Required:
    """Return what `COUNTERSIGN_PASSKEYS_REQUIRED` names: `Purchase.Escalation, EUR 10000`.

    Raises:
        ValueError: it is something else.
    """
    roles: set[str] = set()
    above: dict[str, Decimal] = {}
    for part in filter(None, map(str.strip, environment.get(REQUIRED, "").split(","))):
        if amount := _AMOUNT.fullmatch(part):
            if amount[1] in above:
                raise ValueError(f"{REQUIRED} names {amount[1]} more than once")
            above[amount[1]] = Decimal(amount[2])
        elif _ROLE.fullmatch(part):
            roles.add(part)
        else:
            raise ValueError(
                f"{REQUIRED} must be roles and amounts such as Purchase.Escalation, EUR 10000,"
                f" but contains {part!r}"
            )
    return Required(roles=frozenset(roles), above=above)


def read_site(environment: Mapping[str, str], home: str | None) -> Site | None:
    """Return where passkeys are used; None where they can't be: without a domain of its own.

    Args:
        environment: the settings.
        home: the app's address, if that is known.

    Raises:
        ValueError: the domain isn't that of the app's address.
    """
    named = environment.get(DOMAIN, "").strip().lower()
    parts = urlsplit(home or "")
    host = parts.hostname or ""
    # Passkeys can't be bound to an address of this machine, but to its name.
    if host in ("127.0.0.1", "::1"):
        host = "localhost"
    if not host or _ADDRESS.fullmatch(host) or not (parts.scheme == "https" or host == "localhost"):
        if named:
            raise ValueError(f"{DOMAIN} needs an https address in COUNTERSIGN_PUBLIC_URL")
        return None
    if named and not (_DOMAIN.fullmatch(named) and f".{host}".endswith(f".{named}")):
        raise ValueError(f"{DOMAIN} must be {host} or a domain above it, not {named!r}")
    port = f":{parts.port}" if parts.port else ""
    return Site(origin=f"{parts.scheme}://{host}{port}", domain=named or host)
