"""Where a request carries its token."""

from __future__ import annotations

from collections.abc import Mapping

from countersign.identity.errors import Unauthenticated

PLATFORM_TOKEN = "X-MS-TOKEN-AAD-ID-TOKEN"  # noqa: S105 - the name of a header
"""Where App Service Authentication puts the id token of a signed-in browser. It is checked like any
other; what the platform says in `X-MS-CLIENT-PRINCIPAL` is not signed and never looked at.

Without that platform in front of the app, anybody could send any token under this name."""

MAX_TOKEN = 16_384


def token_in(headers: Mapping[str, str], *, platform: bool) -> str:
    """Return the token of a request, unchecked.

    Args:
        headers: found by any capitals. An `Authorization` header counts alone (RFC 6750,
            section 2.1); without one, the platform's.
        platform: whether App Service Authentication signs browsers in.

    Raises:
        Unauthenticated: there is none, or it can't be one.
    """
    by_cookie = platform and signed_in_by_cookie(headers)
    token = headers[PLATFORM_TOKEN] if by_cookie else _bearer(headers)
    if len(token) > MAX_TOKEN or not token.isascii():
        raise Unauthenticated("the token is malformed")
    return token


def signed_in_by_cookie(headers: Mapping[str, str]) -> bool:
    """Return whether only the platform's cookie, which browsers add unasked, says who asks."""
    return "Authorization" not in headers and PLATFORM_TOKEN in headers


def _bearer(headers: Mapping[str, str]) -> str:
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    token = token.strip(" ")
    if scheme.lower() != "bearer" or not token:
        raise Unauthenticated("a bearer token is required")
    return token
