"""What a provider has promised to hand tokens out for: codes and refresh tokens, each good once."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Grant:
    """What one secret stands for.

    Attributes:
        claims: who signed in, as the session's token says.
        client_id: who asked.
        nonce: what the client wants to find in the id token again.
        redirect_uri: where a code was sent to; empty for a refresh token.
        challenge: the hash of the client's verifier (RFC 7636, S256); empty for a refresh token.
    """

    claims: Mapping[str, Any]
    client_id: str
    nonce: str
    redirect_uri: str = ""
    challenge: str = ""

    def is_proved_by(self, verifier: str) -> bool:
        """Return whether this verifier is the one whose hash came with the request for the code."""
        hashed = urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=")
        return secrets.compare_digest(hashed, self.challenge.encode())


class Grants:
    """Grants by their secrets, in memory: a restart forgets them, and people sign in again.

    Args:
        clock: Tells the present moment.
        lifetime: How long a secret is good.
    """

    def __init__(self, clock: Callable[[], datetime], lifetime: timedelta) -> None:
        self._clock = clock
        self._lifetime = lifetime
        self._kept: dict[str, tuple[datetime, Grant]] = {}

    def add(self, grant: Grant) -> str:
        """Keep a grant, and return the secret that it can be taken with once."""
        now = self._clock()
        self._kept = {name: each for name, each in self._kept.items() if each[0] > now}
        secret = secrets.token_urlsafe(32)
        self._kept[secret] = (now + self._lifetime, grant)
        return secret

    def take(self, secret: str) -> Grant | None:
        """Return the grant of a secret; None if it was taken before, is too old, or never was."""
        expires, grant = self._kept.pop(secret, (None, None))
        return grant if expires and expires > self._clock() else None
