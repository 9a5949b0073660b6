"""JSON Web Signatures (RFC 7515) by Ed25519 (RFC 8037) over content that stands elsewhere."""

from __future__ import annotations

import base64
import json
from functools import lru_cache
from typing import Any

from countersign.approvals.digest import canonical
from countersign.proof.keys import ProofKey, PublicKey, base64url

TYPE = "countersign-act"
"""What `typ` says, so that no signature of an act passes for one of anything else."""


def signature_over(content: bytes, key: ProofKey) -> str:
    """Return a signature in the compact form without its content (RFC 7515, appendix F)."""
    header = _header(key.public.thumbprint)
    value = base64.b64decode(key.sign(_signed(header, content)))
    return f"{header}..{base64url(value)}"


def key_id_of(signature: str) -> str | None:
    """Return the id of the key that a signature names; None if it is no signature of ours."""
    header, middle, value = (*signature.split("."), "", "")[:3]
    try:
        named: Any = json.loads(_bytes(header))["kid"]
        # One header for each key: nothing else in one could be meant to be understood.
        is_ours = f"{_header(named)}..{value}" == signature
    except (LookupError, TypeError, ValueError, RecursionError):
        return None
    return named if is_ours and isinstance(named, str) and not middle else None


def is_valid(signature: str, content: bytes, key: PublicKey) -> bool:
    """Return whether a signature is this key's over this content."""
    header, _, value = signature.partition("..")
    if key_id_of(signature) != key.thumbprint:
        return False
    try:
        text = base64.b64encode(_bytes(value)).decode()
    except ValueError:
        return False
    return key.has_signed(text, _signed(header, content))


@lru_cache(100)
def _header(key_id: str) -> str:
    return base64url(canonical({"alg": "EdDSA", "kid": key_id, "typ": TYPE}))


def _signed(header: str, content: bytes) -> bytes:
    return f"{header}.{base64url(content)}".encode()


def _bytes(text: str) -> bytes:
    """Return the bytes of a text in Base64 for addresses.

    Raises:
        ValueError: it is not the one such text for any bytes.
    """
    data = base64.b64decode(text.encode() + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if base64url(data) != text:
        raise ValueError("not Base64 for addresses without padding")
    return data
