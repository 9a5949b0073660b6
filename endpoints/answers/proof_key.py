"""The key that proofs can be checked with."""

from __future__ import annotations

from typing import Literal

from endpoints.answers.response_body import ResponseBody


class PublicProofKey(ResponseBody):
    """A public key in Base64 (that of ES256 as a SubjectPublicKeyInfo), and `key_id`, its SHA-256.

    `development`: it is for trying things out, and proves nothing to others.
    """

    algorithm: Literal["Ed25519", "ES256"]
    development: bool
    key_id: str
    public_key: str
