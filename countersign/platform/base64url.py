"""Base64url without padding, as JOSE (RFC 7515, section 2) and WebAuthn write bytes."""

from __future__ import annotations

import base64


def to_base64url(data: bytes) -> str:
    """Return bytes as text for JSON and addresses (RFC 4648, section 5)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Return the bytes that a text stands for.

    Raises:
        ValueError: it is not the one such text for any bytes.
    """
    data = base64.b64decode(text.encode() + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    # Unused bits at the end would let two texts stand for the same bytes.
    if to_base64url(data) != text:
        raise ValueError("not Base64url without padding")
    return data
