"""An authenticator, and the browser that asks it: ES256, with every part open to forgery."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256

from countersign.platform.base64url import from_base64url, to_base64url

USER_PRESENT, USER_VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """Makes one passkey, and signs with it.

    Attributes:
        counter: How often it has signed; None for one that doesn't count.
    """

    counter: int | None = 0
    flags: int = USER_PRESENT | USER_VERIFIED
    id: bytes = field(default_factory=lambda: os.urandom(32))
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    @property
    def public_key(self) -> bytes:
        """Its public key, as COSE has it."""
        return cbor.encode(dict(ES256.from_cryptography_key(self.key.public_key())))

    def make(self, options: dict[str, Any], /, **forged: Any) -> dict[str, Any]:
        """What the page sends to add it, for the answer of `passkeys/options`."""
        credential = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + self.public_key
        data = self._data(options["domain"], HAS_KEY) + credential
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options, forged)
        return {
            "label": "My key",
            "id": to_base64url(self.id),
            "client_data": to_base64url(client),
            "attestation": to_base64url(attestation),
        }

    def sign(self, challenge: dict[str, Any], /, **forged: Any) -> dict[str, Any]:
        """What the page sends with an approval, for the answer of `challenge`."""
        if self.counter is not None:
            self.counter += 1
        data = self._data(forged.pop("domain", challenge["domain"]))
        client = self._client("webauthn.get", challenge, forged)
        signed = data + hashlib.sha256(client).digest()
        return {
            "id": to_base64url(self.id),
            "client_data": to_base64url(client),
            "authenticator_data": to_base64url(data),
            "signature": to_base64url(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "after": challenge["after"],
        }

    def _data(self, domain: str, more: int = 0) -> bytes:
        counter = (self.counter or 0).to_bytes(4, "big")
        return hashlib.sha256(domain.encode()).digest() + bytes([self.flags | more]) + counter

    def _client(self, kind: str, options: dict[str, Any], forged: dict[str, Any]) -> bytes:
        said = {
            "type": kind,
            "challenge": to_base64url(from_base64url(options["challenge"])),
            "origin": options["origin"],
            "crossOrigin": False,
        }
        return json.dumps({**said, **forged}).encode()
