"""Where notices go: Apprise URLs, for everybody or for the holders of one role."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from countersign.approvals.person import OPERATOR
from countersign.kinds.registry import deciding_roles

SETTING = "COUNTERSIGN_NOTIFY"
"""What everybody hears who has no addresses of their own."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?=://.)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """One channel.

    Attributes:
        label: what people may read of it, such as "slack 1"; it gives away no part of the URL but
            its scheme.
        url: how Apprise reaches it, with passwords and tokens.
    """

    label: str
    url: str = field(repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Addresses:
    """All channels; a role that has none of its own hears what everybody hears."""

    everybody: tuple[Address, ...] = ()
    by_role: Mapping[str, tuple[Address, ...]] = field(default_factory=dict)

    def of(self, roles: Collection[str]) -> tuple[Address, ...]:
        """Return the channels that reach the holders of any of these roles, each URL once."""
        found: dict[str, Address] = {}
        for role in roles:
            for address in self.by_role.get(role, self.everybody):
                found.setdefault(address.url, address)
        return tuple(found.values())


def told_roles() -> tuple[str, ...]:
    """Return the roles that hear something."""
    return (*deciding_roles(), OPERATOR)


def read_addresses(environment: Mapping[str, str]) -> Addresses:
    """Return the channels that the settings name, separated by blanks or line ends.

    `COUNTERSIGN_NOTIFY` is for everybody; `COUNTERSIGN_NOTIFY__Report_Reviewer` is for one role,
    and so it is with each that may be asked to decide, and with `Operator`, who hears of work that
    can't go on. Case does not matter, and neither does how
    the dot of the role is written: Windows knows no case in these names, and Linux apps on Azure
    get `_` for every other sign in them.

    Raises:
        ValueError: a setting names no role, or a value is no URL; the values are not shown.
    """
    known = {_plain(f"{SETTING}__{role}"): role for role in told_roles()}
    everybody: tuple[Address, ...] = ()
    by_role: dict[str, tuple[Address, ...]] = {}
    for key, text in environment.items():
        plain = _plain(key)
        if plain == SETTING:
            everybody = _channels(key, text)
        elif plain in known:
            role = known[plain]
            by_role |= {role: each} if (each := _channels(key, text, role)) else {}
        elif plain.startswith(f"{SETTING}_"):
            raise ValueError(
                f"{key} is not a setting: use {SETTING} or {SETTING}__ROLE, where ROLE is"
                f" one of {', '.join(told_roles())}"
            )
    return Addresses(everybody=everybody, by_role=by_role)


def _plain(key: str) -> str:
    return re.sub(r"\W", "_", key).upper()


def _channels(key: str, text: str, role: str = "") -> tuple[Address, ...]:
    return tuple(
        _channel(key, number, url, role) for number, url in enumerate(text.split(), start=1)
    )


def _channel(key: str, number: int, url: str, role: str) -> Address:
    scheme = _SCHEME.match(url)
    if scheme is None:
        raise ValueError(f"entry {number} of {key} is not an Apprise URL (`mailto://…`)")
    whose = f" of {role}" if role else ""
    return Address(label=f"{scheme[0].lower()} {number}{whose}", url=url)
