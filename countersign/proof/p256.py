"""Keys on the curve P-256 and their signatures, as key vaults make them: ES256 (RFC 7518, 3.4)."""

from __future__ import annotations

import hashlib
from typing import Any

from countersign.platform.base64url import to_base64url

ALGORITHM = "ES256"

PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
"""What stands before the two coordinates in a SubjectPublicKeyInfo (RFC 5480, section 2)."""

KEY_BYTES = len(PREFIX) + 64

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many points the curve has (SEC 2, section 2.4.2)."""


def jwk(key: bytes) -> dict[str, str]:
    """Return a public key as a JSON Web Key (RFC 7518, section 6.2.1)."""
    x, y = key[len(PREFIX) :][:32], key[len(PREFIX) :][32:]
    return {"crv": "P-256", "kty": "EC", "x": to_base64url(x), "y": to_base64url(y)}


def loaded(key: bytes) -> Any:
    """Return a public key for cryptography.

    Args:
        key: a SubjectPublicKeyInfo in DER.

    Raises:
        ValueError: it is none of this curve's.
    """
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    if len(key) != KEY_BYTES or not key.startswith(PREFIX):
        raise ValueError("not a key on the curve P-256")
    return load_der_public_key(key)


def has_signed(key: bytes, signature: bytes, data: bytes) -> bool:
    """Return whether a signature is a key's over these bytes, in the one form that counts."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
    from cryptography.hazmat.primitives.hashes import SHA256

    if one_form(signature) != signature:
        return False
    try:
        loaded(key).verify(to_der(signature), data, ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


def one_form(signature: bytes) -> bytes:
    """Return which of the two signatures that say the same counts here: that with the smaller half.

    If (r, s) is a signature then so is (r, n - s), and nobody may change one into the other.
    """
    r, s = signature[:32], int.from_bytes(signature[32:], "big")
    return r + min(s, (_ORDER - s) % _ORDER).to_bytes(32, "big")


def digest(data: bytes) -> bytes:
    """Return what a vault signs in place of the bytes."""
    return hashlib.sha256(data).digest()


def to_der(signature: bytes) -> bytes:
    """Return a signature as most tools write it: a sequence in DER (RFC 3279, section 2.2.3)."""
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    return encode_dss_signature(
        int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    )


def from_der(signature: bytes) -> bytes:
    """Return a signature in DER as 64 bytes.

    Raises:
        ValueError: it is none.
    """
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    try:
        r, s = decode_dss_signature(signature)
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
    except OverflowError:
        raise ValueError("too large for the curve P-256") from None
