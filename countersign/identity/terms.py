"""Which tokens count: what the settings say about their issuer, and about whom they are for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from countersign.identity.sign_in import SETTING as SIGN_IN
from countersign.platform.environment import read_each, required

ENTRA = frozenset(
    {
        "login.microsoftonline.com",
        "login.microsoftonline.us",
        "login.partner.microsoftonline.cn",
        "sts.windows.net",
    }
)
"""Hosts of Entra ID's issuers ("National clouds" in its documentation).

Its `sub` is another for each application that a person uses, and its `oid` the same for all.
"""

CLIENTS = "COUNTERSIGN_TOKEN_CLIENTS"

ANY = "any"
"""In place of names: every application counts."""

REQUIRED = {
    "COUNTERSIGN_TOKEN_ISSUER": "the `iss` of reviewers' tokens",
    "COUNTERSIGN_TOKEN_AUDIENCE": "the `aud` of reviewers' tokens, or several",
    "COUNTERSIGN_TOKEN_JWKS": "the address of the issuer's signing keys",
    CLIENTS: f"the applications with whose tokens people may decide, or `{ANY}`",
}

_GUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenTerms:
    """What a token has to say.

    Attributes:
        issuer: the exact `iss` of the tokens.
        audiences: `aud` has to be or contain one of these. An application's access tokens and its
            id tokens can name it differently.
        jwks: the address of the issuer's keys.
        scope: what people's access tokens have to name in `scp`. A registration may have other
            scopes, for less than to decide.
        subject: the claim that tells one person from another. One alone: somebody who is known by
            two claims could ask by the one and approve by the other.
        tenants: the tenants that are served; None for every one that the issuer vouches for.
        clients: the applications with whose tokens people decide, by the ids in `azp`, `appid` or
            `client_id`; None for every one. An agent that acts for a person has a token of that
            person's, and must not be able to approve with it.
    """

    issuer: str
    audiences: tuple[str, ...]
    jwks: str
    scope: str
    subject: str
    tenants: frozenset[str] | None
    clients: frozenset[str] | None


def in_one_case(name: str) -> str:
    """Return an id as it is compared: GUIDs are the same in any case (RFC 9562, section 4)."""
    return name.lower() if _GUID.fullmatch(name) else name


def read_token_terms(environment: Mapping[str, str]) -> TokenTerms:
    """Read the settings.

    Raises:
        ValueError: some are missing or malformed; the message has a sentence for each.
    """
    values, faults = read_each(_READERS, environment)
    if faults:
        raise ValueError(faults)
    return TokenTerms(**values)


def _required(environment: Mapping[str, str], key: str) -> str:
    return required(environment, key, REQUIRED[key])


def _audiences(environment: Mapping[str, str]) -> tuple[str, ...]:
    _required(environment, "COUNTERSIGN_TOKEN_AUDIENCE")
    return _names(environment, "COUNTERSIGN_TOKEN_AUDIENCE")


def _subject(environment: Mapping[str, str]) -> str:
    issuer = environment.get("COUNTERSIGN_TOKEN_ISSUER", "")
    usual = "oid" if urlsplit(issuer).hostname in ENTRA else "sub"
    return _one(environment, "COUNTERSIGN_TOKEN_SUBJECT", usual)


def _jwks(environment: Mapping[str, str]) -> str:
    # Imported where tokens are about to be checked anyway.
    from countersign.identity.keys import check_address

    key = "COUNTERSIGN_TOKEN_JWKS"
    address = _required(environment, key)
    try:
        check_address(address)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from error
    return address


def _one(environment: Mapping[str, str], key: str, usual: str) -> str:
    name, *others = _names(environment, key) or [usual]
    if others:
        raise ValueError(f"{key} has to be one name, not {1 + len(others)}")
    return name


def _set(environment: Mapping[str, str], key: str) -> frozenset[str] | None:
    return frozenset(map(in_one_case, _names(environment, key))) or None


def _clients(environment: Mapping[str, str]) -> frozenset[str] | None:
    """Return the named applications, by default those with which people sign in to the page.

    The id tokens that the platform passes on name none, and count whatever this returns. Where
    tokens are pasted, nobody but the operator knows where people get them.
    """
    if named := _set(environment, CLIENTS):
        return None if named == {ANY} else named
    match environment.get(SIGN_IN) or "token":
        case "page":
            return frozenset({in_one_case(environment.get(f"{SIGN_IN}_CLIENT_ID", "").strip())})
        case "platform":
            return frozenset()
        case _:
            _required(environment, CLIENTS)
            return None


def _names(environment: Mapping[str, str], key: str) -> tuple[str, ...]:
    text = environment.get(key, "")
    names = text.replace(",", " ").split()
    if text and not names:
        raise ValueError(f"{key} is {text!r}, which contains no name")
    return tuple(names)


_READERS: Mapping[str, Callable[[Mapping[str, str]], Any]] = {
    "issuer": lambda env: _required(env, "COUNTERSIGN_TOKEN_ISSUER"),
    "audiences": _audiences,
    "jwks": _jwks,
    "scope": lambda env: _one(env, "COUNTERSIGN_TOKEN_SCOPE", "user_impersonation"),
    "subject": _subject,
    "tenants": lambda env: _set(env, "COUNTERSIGN_TENANTS"),
    "clients": _clients,
}
"""How each of `TokenTerms` is read."""
