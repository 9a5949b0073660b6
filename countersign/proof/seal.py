"""The seal of the app: it signs acts with the app's key, and knows the keys whose signatures count.

Whoever only carries out what was approved needs no more than the public keys.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property, lru_cache

from countersign.proof.jws import is_valid, key_id_of, signature_over
from countersign.proof.keys import SETTING, ProofKey, PublicKey

KEPT = 2_000
"""Checked signatures that are remembered: an operation is read many times."""


class NoKey(Exception):
    """Something is to be signed, and this process has no private key."""


class KeySeal:
    """A `Seal` by keys at hand.

    Args:
        key: signs; None where nothing is to be signed.
        others: further keys whose signatures count, for example those that signed before.
    """

    def __init__(self, key: ProofKey | None, others: Collection[PublicKey] = ()) -> None:
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
            return "is not what was signed, or stands in another place"
        return None

    @cached_property
    def _trusted(self) -> Mapping[str, PublicKey]:
        own = (self._key.public,) if self._key else ()
        return {key.thumbprint: key for key in (*own, *self._others)}
