"""Why a caller is not let in.

Unauthenticated       the caller did not prove who they are
└── ScopeMissing      the token is valid, but for another purpose
KeysUnavailable       transient: no token can be checked now

They are apart from the code that raises them, so that an endpoint that reports them loads no
cryptography.
"""

from __future__ import annotations


class Unauthenticated(Exception):
    """The caller did not prove who they are; the message is fit for them to read."""


class ScopeMissing(Unauthenticated):
    """The caller got the token for themselves, but not for what this API lets them do.

    Attributes:
        scope: what the token would have to name in `scp`.
    """

    def __init__(self, scope: str) -> None:
        super().__init__(f"the token is for another purpose: its scopes lack {scope!r}")
        self.scope = scope


class KeysUnavailable(Exception):
    """The issuer's keys can't be had, so no token can be checked now."""
