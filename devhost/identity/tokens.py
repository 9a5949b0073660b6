"""The tokens of the local sign-in, as an app checks those of a real identity provider."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from devhost.identity.signing_key import SigningKey

ISSUER = "urn:devhost"
AUDIENCE = "urn:devhost:app"
SCOPE = "user_impersonation"

_SUBJECTS = uuid.uuid5(uuid.NAMESPACE_URL, "urn:devhost:subjects")


class Tokens:
    """Issue tokens, and read them again.

    Args:
        data: The host's data folder. The signing key in it, `devhost/signin.pem`, keeps tokens
            good when the host starts again.
        clock: Tells the present moment, with a time zone.
    """

    def __init__(self, data: Path, clock: Callable[[], datetime]) -> None:
        self._key = SigningKey(data / "devhost" / "signin.pem")
        self._clock = clock

    @property
    def keys(self) -> dict[str, Any]:
        """The JWK set (RFC 7517) that the tokens are checked with."""
        return {"keys": [self._key.public]}

    def token(
        self,
        *,
        name: str,
        roles: Sequence[str],
        tenant: str = "home",
        subject: str | None = None,
        lifetime: float = 43200.0,
        program: bool = False,
    ) -> str:
        """Return a signed token (RFC 7519, RS256) for one person, or for a program.

        Args:
            name: The person's name as shown to others.
            roles: The roles that the app may rely on.
            tenant: The organisation the person belongs to.
            subject: The person's stable id; by default the same one for the same name, always.
            lifetime: Seconds until the token expires.
            program: Make it one that a program gets for itself, as Entra ID's would be.
        """
        now = int(self._clock().timestamp())
        subject = subject or str(uuid.uuid5(_SUBJECTS, name))
        return self._key.sign(
            {
                "iss": ISSUER,
                "aud": AUDIENCE,
                "sub": subject,
                "oid": subject,
                "name": name,
                "tid": tenant,
                "roles": list(roles),
                **({"idtyp": "app"} if program else {"scp": SCOPE}),
                "iat": now,
                "nbf": now,
                "exp": now + int(lifetime),
            }
        )

    def id_token(self, person: Mapping[str, Any], of: Mapping[str, str], lifetime: float) -> str:
        """Return a signed id token (OpenID Connect Core 1.0, section 2).

        Args:
            person: Who signed in, as the claims of their session.
            of: The issuer, the audience and the nonce.
            lifetime: Seconds until the token expires.
        """
        now = int(self._clock().timestamp())
        shown = {name: person[name] for name in ("sub", "oid", "name", "tid", "roles")}
        return self._key.sign({**of, **shown, "iat": now, "exp": now + int(lifetime)})

    def claims(self, token: str) -> Mapping[str, Any] | None:
        """Return what a token says, or None if it isn't one of these or has expired."""
        claims = self._key.claims(token)
        if claims is None or claims["exp"] <= self._clock().timestamp():
            return None
        return claims
