"""From a request's headers to a person, or a reason why not."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import jwt
from jwt import PyJWK

from countersign.approvals.person import Person
from countersign.identity.errors import ScopeMissing, Unauthenticated
from countersign.identity.headers import signed_in_by_cookie, token_in
from countersign.identity.keys import ALGORITHMS, KeySet
from countersign.identity.terms import TokenTerms, in_one_case
from countersign.platform.recent import Recent

LEEWAY = 60.0
"""Seconds that an issuer's clock may be ahead of ours: a token just handed out has to work.

None are given after the expiry: nobody who can get a new token needs them, and a decision must
never rest on a token that its issuer no longer stands for."""

MAX_NAME = 200

_LAST_YEAR = 253_402_300_799
_SUBJECT = re.compile(r"[\x21-\x7e][\x20-\x7e]{0,254}")
_TENANT = re.compile(r"[A-Za-z0-9._-]{1,64}")
_BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_CLIENT = {"appid", "azp", "client_id"}
"""Claims that name to whom an access token was given: in Entra ID's of version 1 and 2, which its
id tokens don't have, and in those of RFC 9068 (section 2.2)."""

_TYPES = {"jwt", "at+jwt", "application/at+jwt"}
"""What an access token's or an id token's `typ` can be (RFC 9068, section 2.1), in small letters.
Issuers sign other things with the same keys, such as notices of a logout."""

MOST_PROVEN = 1_000
"""Tokens whose signatures are not checked again: a page sends the same one with each request."""

_UNVERIFIABLE = "the token's signature cannot be verified"


@dataclass(frozen=True, slots=True)
class _Proven:
    """The claims of a token that a key has signed, and the id under which the issuer has it."""

    kid: str
    key: PyJWK
    claims: Mapping[str, Any]


class TokenVerifier:
    """Check bearer tokens of one issuer for one audience (RFC 7519, RFC 8725).

    Args:
        terms: what a token has to say.
        jwks: the issuer's keys.
        platform: whether App Service Authentication signs browsers in and adds their id tokens.
        clock: the present moment (UTC), which decides on expiry.
    """

    def __init__(
        self, terms: TokenTerms, jwks: KeySet, *, platform: bool, clock: Callable[[], datetime]
    ) -> None:
        self._terms = terms
        self._jwks = jwks
        self._platform = platform
        self._clock = clock
        self._proven: Recent[str, _Proven] = Recent(MOST_PROVEN)

    async def verify(self, headers: Mapping[str, str]) -> Person:
        """Return the person, or the program, that a request's token proves.

        Args:
            headers: the request's headers, found by any capitals. An `Authorization` header counts
                alone; without one, the id token that the platform added for a signed-in browser.

        Raises:
            Unauthenticated: it proves nobody; the message says why and leaks nothing.
            ScopeMissing: it is a person's, for something else.
            KeysUnavailable: the issuer's keys can't be had now.
        """
        token = token_in(headers, platform=self._platform)
        digest = hashlib.sha256(token.encode()).hexdigest()
        claims = await self._signed_claims(token, digest)
        self._check_times(claims)
        passed_on = signed_in_by_cookie(headers)
        scopes = _scopes(claims)
        if not passed_on and "nonce" in claims and not scopes:
            raise Unauthenticated("this is an id token; the API needs an access token")
        id_token = passed_on and _CLIENT.isdisjoint(claims)
        program = _is_a_program_s(claims, id_token=id_token)
        if scopes and not program and self._terms.scope not in scopes:
            raise ScopeMissing(self._terms.scope)
        acts_alone = program or not (id_token or self._may_decide_with(claims))
        person = self._person(claims, program=acts_alone)
        return replace(person, token=digest)

    async def _signed_claims(self, token: str, digest: str) -> Mapping[str, Any]:
        """Return what a token says, if its signature counts.

        It is checked once, as long as the issuer's key stays the one that it was checked with.
        """
        proven = self._proven.get(digest)
        if proven is None or await self._jwks.find(proven.kid) is not proven.key:
            kid, key = await self._key(token)
            proven = _Proven(kid, key, self._claims(token, key))
            self._proven.put(digest, proven)
        return proven.claims

    async def _key(self, token: str) -> tuple[str, PyJWK]:
        try:
            header = jwt.get_unverified_header(token)
        except jwt.InvalidTokenError:
            raise Unauthenticated("the token is malformed") from None
        if str(header.get("typ", "JWT")).lower() not in _TYPES:
            raise Unauthenticated("the token is of a type that lets nobody in")
        algorithm, kid = header.get("alg"), header.get("kid")
        if algorithm not in ALGORITHMS or not isinstance(kid, str):
            raise Unauthenticated(_UNVERIFIABLE)
        key = await self._jwks.find(kid)
        # The key, not the token, says what it is used with (RFC 8725, section 3.1).
        if key is None or key.algorithm_name != algorithm:
            raise Unauthenticated(_UNVERIFIABLE)
        return kid, key

    def _claims(self, token: str, key: PyJWK) -> Mapping[str, Any]:
        try:
            return jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name],
                audience=self._terms.audiences,
                issuer=self._terms.issuer,
                options={
                    "require": ["exp", "iss", "aud"],
                    # PyJWT would look at the machine's clock.
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except jwt.InvalidSignatureError:
            raise Unauthenticated(_UNVERIFIABLE) from None
        except jwt.InvalidIssuerError:
            raise Unauthenticated("the token is from another issuer") from None
        except jwt.InvalidAudienceError:
            raise Unauthenticated("the token is for another audience") from None
        except jwt.InvalidTokenError:
            raise Unauthenticated("the token is malformed") from None

    def _check_times(self, claims: Mapping[str, Any]) -> None:
        now = self._clock().timestamp()
        if now >= _numeric_date(claims["exp"]):
            raise Unauthenticated("the token has expired")
        for claim in ("nbf", "iat"):
            if claim in claims and _numeric_date(claims[claim]) > now + LEEWAY:
                raise Unauthenticated("the token is not valid yet")

    def _person(self, claims: Mapping[str, Any], *, program: bool) -> Person:
        subject, tenant = _id(claims, self._terms.subject), _id(claims, "tid")
        if not _SUBJECT.fullmatch(subject):
            raise Unauthenticated(f"the token names no subject in `{self._terms.subject}`")
        if not _TENANT.fullmatch(tenant):
            raise Unauthenticated("the token names no tenant")
        if self._terms.tenants is not None and tenant not in self._terms.tenants:
            raise Unauthenticated("the token is from a tenant that this app does not serve")
        names = (_shown(claims.get(claim)) for claim in ("name", "preferred_username"))
        name = next(filter(None, names), subject)
        roles = _roles(claims.get("roles"))
        return Person(id=subject, name=name, tenant=tenant, roles=roles, program=program)

    def _may_decide_with(self, claims: Mapping[str, Any]) -> bool:
        """Return whether people decide with the application that this token was given to."""
        clients = self._terms.clients
        named = {_id(claims, claim) for claim in _CLIENT}
        return clients is None or (len(named - {""}) == 1 and named - {""} <= clients)


def _id(claims: Mapping[str, Any], claim: str) -> str:
    """Return an id as it is compared and recorded; empty if the token has none."""
    value = claims.get(claim)
    return in_one_case(value) if isinstance(value, str) else ""


def _is_a_program_s(claims: Mapping[str, Any], *, id_token: bool) -> bool:
    """Return whether a program got a token for itself.

    An access token that somebody got for themselves names in `scp` what they let its bearer do, and
    its `idtyp` is `user` if there is one (Entra ID's "Access token claims reference" and "Optional
    claims reference"). The id tokens that the platform passes on have no `scp` and are a person's;
    but a program can sign in to the platform too, with an access token, which names its client.
    """
    if claims.get("idtyp", "user") != "user":
        return True
    return not (id_token or _scopes(claims))


def _scopes(claims: Mapping[str, Any]) -> list[str]:
    scopes = claims.get("scp")
    return scopes.split() if isinstance(scopes, str) else []


def _numeric_date(value: Any) -> float:
    """Read seconds since 1970 (RFC 7519, section 2); a text, NaN or infinity is none."""
    if isinstance(value, int | float) and type(value) is not bool and 0 <= value <= _LAST_YEAR:
        return float(value)
    raise Unauthenticated("the token is malformed")


def _shown(value: Any) -> str:
    """Make a name safe to show: nothing in it can break a line or turn the text around it."""
    if not isinstance(value, str):
        return ""
    return "".join(filter(_is_showable, value)).strip()[:MAX_NAME]


def _is_showable(character: str) -> bool:
    if unicodedata.bidirectional(character) in _BIDI_CONTROLS:
        return False
    return unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"}


def _roles(value: Any) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(role, str) for role in value):
        return frozenset()
    return frozenset(value)
