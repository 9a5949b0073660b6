"""A browser's session at the local sign-in: a cookie that holds a token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from devhost.identity.tokens import Tokens

COOKIE = "devhost-session"


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedIn:
    """Who has signed in with a browser: their token, and its claims."""

    token: str
    claims: Mapping[str, Any]


def session_of(request: Request, tokens: Tokens) -> SignedIn | None:
    """Return the session that a request belongs to; it ends with its token."""
    token = request.cookies.get(COOKIE)
    # Programs have none, and the key takes a while to read.
    claims = tokens.claims(token) if token else None
    return SignedIn(token=token, claims=claims) if token and claims else None


def with_session(response: Response, token: str) -> Response:
    """Return the answer, which begins a session."""
    # An app at `localhost` is another site than a sign-in at 127.0.0.1, and links to it.
    response.set_cookie(COOKIE, token, httponly=True, samesite="lax")
    return response


def without_session(response: Response) -> Response:
    """Return the answer, which ends the browser's session."""
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")
    return response
