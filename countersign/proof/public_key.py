"""Public keys of two kinds: Ed25519 (RFC 8032) and P-256, which is what key vaults have."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from countersign.approvals.digest import canonical, sha256
from countersign.platform.base64url import to_base64url
from countersign.proof import p256

OTHERS = "COUNTERSIGN_PROOF_PUBLIC_KEYS"

KEY_BYTES = 32
"""Of an Ed25519 key: a private one's seed, and a public one."""

SIGNATURE_BYTES = 64
"""Of both kinds."""

Algorithm: TypeAlias = Literal["Ed25519", "ES256"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicKey:
    """What anyone can check a signature with.

    Attributes:
        text: in Base64, the 32 bytes of an Ed25519 key, or the SubjectPublicKeyInfo of a P-256 key.
    """

    text: str

    @property
    def algorithm(self) -> Algorithm:
        """How it signs."""
        return "Ed25519" if len(self._bytes) == KEY_BYTES else "ES256"

    @property
    def jose_algorithm(self) -> str:
        """How it signs, as JOSE calls it (RFC 8037, RFC 7518)."""
        return "EdDSA" if self.algorithm == "Ed25519" else p256.ALGORITHM

    @property
    def id(self) -> str:
        """Its fingerprint: the SHA-256 of its bytes, as 64 hexadecimal digits."""
        return sha256(self._bytes)

    @property
    def thumbprint(self) -> str:
        """Its id in signatures of acts: the thumbprint of its JSON Web Key (RFC 7638)."""
        return _thumbprint(self)

    def has_signed(self, signature: str, data: bytes) -> bool:
        """Return whether a signature, in Base64, is this key's over these bytes."""
        try:
            value = decoded(signature, SIGNATURE_BYTES)
        except ValueError:
            return False
        if self.algorithm == "ES256":
            return p256.has_signed(self._bytes, value, data)
        return _by_ed25519(self._bytes, value, data)

    def outside(self, signature: str) -> str:
        """Return a signature as tools without JOSE write it: one by a P-256 key in DER."""
        value = base64.b64decode(signature)
        if self.algorithm == "ES256":
            value = p256.to_der(value)
        return base64.b64encode(value).decode()

    def has_signed_outside(self, signature: str, data: bytes) -> bool:
        """Return whether a signature in the form of `outside` is this key's over these bytes."""
        if self.algorithm == "Ed25519":
            return self.has_signed(signature, data)
        try:
            value = p256.from_der(base64.b64decode(signature))
        except ValueError:
            return False
        return p256.has_signed(self._bytes, value, data)

    @property
    def _bytes(self) -> bytes:
        return base64.b64decode(self.text)


def _by_ed25519(key: bytes, signature: bytes, data: bytes) -> bool:
    # Imported where it is needed: no start of the app is to load cryptography.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


@lru_cache(100)
def _thumbprint(key: PublicKey) -> str:
    data = base64.b64decode(key.text)
    ours = {"crv": "Ed25519", "kty": "OKP", "x": to_base64url(data)}
    entry = ours if key.algorithm == "Ed25519" else p256.jwk(data)
    return to_base64url(hashlib.sha256(canonical(entry)).digest())


def read_public_keys(environment: Mapping[str, str]) -> tuple[PublicKey, ...]:
    """Return the further keys whose signatures of acts count: those that were used before.

    Raises:
        ValueError: one is none.
    """
    texts = environment.get(OTHERS, "").replace(",", " ").split()
    try:
        return tuple(map(public_key, texts))
    except ValueError:
        raise ValueError(
            f"{OTHERS} must be public keys in Base64: the 32 bytes of an Ed25519 key, or the DER"
            " of a P-256 key"
        ) from None


def public_key(text: str) -> PublicKey:
    """Return the public key that a text is.

    Raises:
        ValueError: it is none.
    """
    if len(text) > 2 * KEY_BYTES:
        p256.loaded(decoded(text, p256.KEY_BYTES))
    else:
        decoded(text, KEY_BYTES)
    return PublicKey(text=text)


def decoded(text: str, size: int) -> bytes:
    """Return the bytes that a text in Base64 (RFC 4648, section 4) stands for.

    Raises:
        ValueError: it is not the one such text for so many bytes.
    """
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        data = b""
    # Unused bits at the end would let two texts stand for the same bytes.
    if len(data) != size or base64.b64encode(data).decode() != text:
        raise ValueError(f"not {size} bytes in Base64")
    return data
