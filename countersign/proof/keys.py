"""What proofs and acts are signed with: an Ed25519 key (RFC 8032) at hand, or one elsewhere."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from countersign.proof.public_key import KEY_BYTES, PublicKey, decoded

SETTING = "COUNTERSIGN_PROOF_KEY"
DEVELOPMENT = "development:"
"""What the setting begins with if its key is for trying things out and proves nothing to others."""

_PEM = re.compile(r"-----BEGIN PRIVATE KEY-----(.+)-----END PRIVATE KEY-----", re.DOTALL)


class SigningKey(Protocol):
    """What bundles and acts are signed with, wherever it is."""

    @property
    def public(self) -> PublicKey:
        """The public key that belongs to it."""
        ...

    @property
    def waits(self) -> bool:
        """Whether signing asks another machine, so that it belongs into a thread."""
        ...

    def sign(self, data: bytes) -> str:
        """Return the signature over some bytes, in Base64.

        Raises:
            NoKey: it never will.
            StoreUnavailable: it can't be asked now.
        """
        ...

    def described(self) -> dict[str, Any]:
        """Return a bundle's description of the key that signed it, which holds no secret."""
        ...


def description(key: PublicKey, *, development: bool = False) -> dict[str, Any]:
    """Return what a bundle says of a key: whether it is for trying things out, and what it is."""
    return {
        "algorithm": key.algorithm,
        "development": development,
        "key_id": key.id,
        "public_key": key.text,
    }


class NoKey(Exception):
    """Something is to be signed, and this process has no private key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofKey:
    """A `SigningKey` that the app has itself.

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

    @property
    def waits(self) -> bool:
        """It computes for less than a tenth of a millisecond."""
        return False

    def sign(self, data: bytes) -> str:
        """Return the signature over some bytes, in Base64."""
        return base64.b64encode(_private(self.seed).sign(data)).decode()

    def described(self) -> dict[str, Any]:
        """Return a bundle's description of the key that signed it, which holds no secret."""
        return description(self.public, development=self.development)


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
