"""The keys of proof bundles: Ed25519 (RFC 8032), as text that fits on one line."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from countersign.approvals.digest import canonical, sha256

SETTING = "COUNTERSIGN_PROOF_KEY"
OTHERS = "COUNTERSIGN_PROOF_PUBLIC_KEYS"
DEVELOPMENT = "development:"
"""What the setting begins with if its key is for trying things out and proves nothing to others."""

KEY_BYTES = 32
"""Of a private key's seed, and of a public key."""

SIGNATURE_BYTES = 64

_PEM = re.compile(r"-----BEGIN PRIVATE KEY-----(.+)-----END PRIVATE KEY-----", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicKey:
    """What anyone can check a signature with.

    Attributes:
        text: the key's 32 bytes in Base64.
    """

    text: str

    @property
    def id(self) -> str:
        """Its fingerprint: the SHA-256 of its bytes, as 64 hexadecimal digits."""
        return sha256(base64.b64decode(self.text))

    @property
    def thumbprint(self) -> str:
        """Its id in signatures of acts: the thumbprint of its JSON Web Key (RFC 7638)."""
        return _thumbprint(self.text)

    def has_signed(self, signature: str, data: bytes) -> bool:
        """Return whether a signature, in Base64, is this key's over these bytes."""
        # Imported where it is needed: no start of the app is to load cryptography.
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            key = Ed25519PublicKey.from_public_bytes(base64.b64decode(self.text))
            key.verify(decoded(signature, SIGNATURE_BYTES), data)
        except (InvalidSignature, ValueError):
            return False
        return True


@lru_cache(100)
def _thumbprint(text: str) -> str:
    key = {"crv": "Ed25519", "kty": "OKP", "x": base64url(base64.b64decode(text))}
    return base64url(hashlib.sha256(canonical(key)).digest())


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofKey:
    """What bundles are signed with.

    Attributes:
        seed: the private key's 32 bytes; they appear nowhere.
        development: whether it says of itself that it is for trying things out.
    """

    seed: bytes = field(repr=False)
    development: bool = False

    @property
    def public(self) -> PublicKey:
        """The public key that belongs to it."""
        return _public(self.seed)

    def sign(self, data: bytes) -> str:
        """Return the signature over some bytes, in Base64."""
        return base64.b64encode(_private(self.seed).sign(data)).decode()

    def described(self) -> dict[str, Any]:
        """Return a bundle's description of the key that signed it, which holds no secret."""
        public = self.public
        return {
            "algorithm": "Ed25519",
            "development": self.development,
            "key_id": public.id,
            "public_key": public.text,
        }


@lru_cache(8)
def _private(seed: bytes) -> Any:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed)


@lru_cache(8)
def _public(seed: bytes) -> PublicKey:
    raw = _private(seed).public_key().public_bytes_raw()
    return PublicKey(text=base64.b64encode(raw).decode())


def read_proof_key(environment: Mapping[str, str]) -> ProofKey | None:
    r"""Return the key that the setting holds, None if it holds nothing.

    It is an Ed25519 private key: its 32 bytes in Base64, or PKCS #8 in PEM (RFC 8410) whose line
    ends may have become blanks or `\n`. `development:` before it marks one for trying things out.

    Raises:
        ValueError: it is something else; the message has nothing of it.
    """
    text = environment.get(SETTING, "").strip()
    if not text:
        return None
    key = text.removeprefix(DEVELOPMENT)
    try:
        seed = _seed_in_pem(key) if "-----BEGIN" in key else decoded(key, KEY_BYTES)
    except ValueError:
        # The error it comes from may hold parts of the key.
        raise ValueError(
            f"{SETTING} must be an Ed25519 private key: its 32 bytes in Base64, or PEM"
        ) from None
    return ProofKey(seed=seed, development=text.startswith(DEVELOPMENT))


def read_public_keys(environment: Mapping[str, str]) -> tuple[PublicKey, ...]:
    """Return the further keys whose signatures of acts count: those that were used before.

    Raises:
        ValueError: one is none.
    """
    texts = environment.get(OTHERS, "").replace(",", " ").split()
    try:
        return tuple(map(public_key, texts))
    except ValueError:
        raise ValueError(f"{OTHERS} must be Ed25519 public keys: 32 bytes in Base64 each") from None


def public_key(text: str) -> PublicKey:
    """Return the public key that a text is.

    Raises:
        ValueError: it is none.
    """
    decoded(text, KEY_BYTES)
    return PublicKey(text=text)


def base64url(data: bytes) -> str:
    """Bytes as JOSE writes them: Base64 for addresses, without padding (RFC 7515, section 2)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


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


def _seed_in_pem(text: str) -> bytes:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_der_private_key

    body = _PEM.fullmatch(text.replace("\\n", "\n").strip())
    if body is None:
        raise ValueError("not a private key in PEM")
    try:
        key = load_der_private_key(base64.b64decode("".join(body[1].split())), password=None)
    except (TypeError, UnsupportedAlgorithm) as error:
        raise ValueError("not a private key that can be read") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError("a key of another kind")
    return key.private_bytes_raw()
