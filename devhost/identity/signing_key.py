"""Keep the RSA key pair that signs the development host's tokens."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from jwt.utils import base64url_encode


class SigningKey:
    """Sign and check tokens with one RS256 key pair, made at first use and kept in a file.

    Args:
        path: The PEM file. Processes that need it at the same moment end with the same key.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def public(self) -> dict[str, Any]:
        """The public key as a JWK (RFC 7517) whose id is its thumbprint (RFC 7638)."""
        key = RSAAlgorithm.to_jwk(self._private.public_key(), as_dict=True)
        required = {member: key[member] for member in ("e", "kty", "n")}
        return {**required, "kid": _thumbprint(required), "use": "sig", "alg": "RS256"}

    def sign(self, claims: Mapping[str, Any]) -> str:
        """Return the claims as a signed token (RFC 7515)."""
        return jwt.encode(dict(claims), self._private, "RS256", headers={"kid": self.public["kid"]})

    def claims(self, token: str) -> dict[str, Any] | None:
        """Return what the token says, or None if this key did not sign it.

        Its times are left to the caller: the host's clock may be a virtual one.
        """
        try:
            payload = jwt.PyJWS().decode(token, self._private.public_key(), ["RS256"])
        except jwt.InvalidTokenError:
            return None
        return json.loads(payload)

    @cached_property
    def _private(self) -> rsa.RSAPrivateKey:
        if not self._path.exists():
            _create_once(self._path, _new_pem())
        key = serialization.load_pem_private_key(self._path.read_bytes(), password=None)
        if not isinstance(key, rsa.RSAPrivateKey):
            raise TypeError(f"{self._path} holds no RSA private key; delete it to get a new one")
        return key


def _thumbprint(required: Mapping[str, str]) -> str:
    canonical = json.dumps(required, sort_keys=True, separators=(",", ":")).encode()
    return base64url_encode(hashlib.sha256(canonical).digest()).decode()


def _new_pem() -> bytes:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _create_once(path: Path, content: bytes) -> None:
    """Create `path` whole and for its owner only, unless another process was faster."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    try:
        # Linking is the one step that is both atomic and refuses to replace a file.
        path.hardlink_to(draft)
    except FileExistsError:
        return
    finally:
        draft.unlink()
