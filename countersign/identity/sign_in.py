"""How people sign in to the page: what the settings say, and what the page is told of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

Way: TypeAlias = Literal["page", "platform", "token"]

SETTING = "COUNTERSIGN_SIGN_IN"

# Written into the page's Content-Security-Policy, so nothing that ends a source of it may be there.
_AUTHORITY = re.compile(
    r"(?P<origin>https://[A-Za-z0-9.-]+(:\d+)?|http://(localhost|127\.0\.0\.1)(:\d+)?)"
    r"(/[A-Za-z0-9._~/-]*)?"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class SignIn:
    """How people sign in.

    Attributes:
        way: `page`, the page itself at an OpenID provider; `platform`, App Service Authentication
            in front of the app; `token`, nobody does, and tokens are pasted.
        authority: the provider's issuer, below which it describes itself.
        client_id: whom the provider takes the page for.
        scope: what the page asks to be let do, besides to know who signs in.
    """

    way: Way
    authority: str = ""
    client_id: str = ""
    scope: str = ""

    @property
    def origin(self) -> str:
        """The provider's scheme, host and port; empty if the page asks no provider."""
        found = _AUTHORITY.fullmatch(self.authority)
        return found["origin"] if found else ""


def read_sign_in(environment: Mapping[str, str]) -> SignIn:
    """Read the settings.

    Raises:
        ValueError: they are missing or malformed.
    """
    way = environment.get(SETTING) or "token"
    if way not in get_args(Way):
        raise ValueError(f"{SETTING} must be page, platform or token, not {way!r}")
    if way != "page":
        return SignIn(way=cast(Way, way))
    parts = {part: environment.get(f"{SETTING}_{part.upper()}", "").strip() for part in _PARTS}
    for part, text in parts.items():
        if not text:
            raise ValueError(f"{SETTING}_{part.upper()} is missing: {_PARTS[part]}")
    if not _AUTHORITY.fullmatch(parts["authority"]):
        raise ValueError(
            f"{SETTING}_AUTHORITY must be an https address, or an http address on this machine"
        )
    return SignIn(way="page", **parts)


_PARTS = {
    "authority": "the issuer of the OpenID provider for the page",
    "client_id": "the page's client id at the provider",
    "scope": "the scope of this API at the provider",
}
