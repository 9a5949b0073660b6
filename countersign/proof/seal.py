"""The seal of the app: it signs acts with the app's key, and judges the signatures of others.

A signature is a JSON Web Signature (RFC 7515) by Ed25519 (RFC 8037) or ES256 (RFC 7518) over
content that is stored elsewhere. A process that only carries out what was approved needs no more
than the public keys.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Mapping
from functools import cached_property, lru_cache
from typing import Any

from countersign.approvals.digest import canonical
from countersign.platform.base64url import from_base64url, to_base64url
from countersign.proof.keys import SETTING, NoKey, SigningKey
from countersign.proof.public_key import PublicKey

ALGORITHMS = frozenset({"EdDSA", "ES256"})

TYPE = "countersign-act"
"""What `typ` says, so that no signature of an act passes for one of anything else."""

KEPT = 2_000
"""Checked signatures that are remembered: an operation is read many times."""


class KeySeal:
    """A `Seal` by keys at hand.

    Args:
        key: signs; None where nothing is to be signed.
        others: further keys whose signatures count, for example those that signed before.
    """

    def __init__(self, key: SigningKey | None, others: Collection[PublicKey] = ()) -> None:
        self._key = key
        self._others = others
        self._is_valid = lru_cache(KEPT)(is_valid)

    def sign(self, data: bytes) -> str:
        """Return the signature over some bytes.

        Raises:
            NoKey: this process has no private key.
        """
        if self._key is None:
            raise NoKey(f"Nothing can be signed: {SETTING} is not set.")
        return signature_over(data, self._key)

    @property
    def waits(self) -> bool:
        """Whether signing asks another machine."""
        return self._key is not None and self._key.waits

    def knows(self, key_id: str) -> bool:
        """Return whether signatures by the key with this id can count."""
        return key_id in self._trusted

    def fault(self, signature: str, data: bytes) -> str | None:
        """Return why a signature doesn't count, as the end of a sentence; None if it does."""
        named = key_id_of(signature)
        if named is None:
            return "has something else in place of a signature"
        key = self._trusted.get(named)
        if key is None:
            return f"is signed with the key {named}, which is not one of the known ones"
        if not self._is_valid(signature, data, key):
            return "is not what was signed, or is in another place"
        return None

    @cached_property
    def _trusted(self) -> Mapping[str, PublicKey]:
        own = (self._key.public,) if self._key else ()
        return {key.thumbprint: key for key in (*own, *self._others)}


def signature_over(content: bytes, key: SigningKey) -> str:
    """Return a signature in the compact form without its content (RFC 7515, appendix F)."""
    header = _header(key.public.thumbprint, key.public.jose_algorithm)
    value = base64.b64decode(key.sign(_signed(header, content)))
    return f"{header}..{to_base64url(value)}"


def key_id_of(signature: str) -> str | None:
    """Return the id of the key that a signature names; None if it is no signature of ours."""
    header, middle, value = (*signature.split("."), "", "")[:3]
    try:
        said: Any = json.loads(from_base64url(header))
        named, algorithm = said["kid"], said["alg"]
        # One header for each key: nothing else in one could be meant to be understood.
        is_ours = algorithm in ALGORITHMS and f"{_header(named, algorithm)}..{value}" == signature
    except (LookupError, TypeError, ValueError, RecursionError):
        return None
    return named if is_ours and isinstance(named, str) and not middle else None


def is_valid(signature: str, content: bytes, key: PublicKey) -> bool:
    """Return whether a signature is this key's over this content."""
    header, _, value = signature.partition("..")
    if header != _header(key.thumbprint, key.jose_algorithm):
        return False
    try:
        text = base64.b64encode(from_base64url(value)).decode()
    except ValueError:
        return False
    return key.has_signed(text, _signed(header, content))


@lru_cache(100)
def _header(key_id: str, algorithm: str) -> str:
    return to_base64url(canonical({"alg": algorithm, "kid": key_id, "typ": TYPE}))


def _signed(header: str, content: bytes) -> bytes:
    return f"{header}.{to_base64url(content)}".encode()
