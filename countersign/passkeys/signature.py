"""Signatures by passkeys (WebAuthn Level 2), checked with nothing but themselves."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from countersign.approvals.digest import canonical, sha256
from countersign.passkeys.errors import PasskeyFault
from countersign.platform.base64url import from_base64url, to_base64url

UNREADABLE = (
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)
"""What the library raises for signatures and keys that are none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Assertion:
    """What a browser answers when a passkey has signed; all in Base64 for addresses.

    Attributes:
        id: the id of the passkey.
        client_data: what the browser says about the signature, with the challenge and the origin.
        authenticator_data: what the authenticator says about it.
        signature: is over both.
    """

    id: str
    client_data: str
    authenticator_data: str
    signature: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedApproval:
    """A signature with all that it takes to check it; bytes are in Base64 for addresses.

    Attributes:
        id: the id of the passkey.
        public_key: its public key, as COSE (RFC 9052) has it.
        rp: the domain that it is bound to.
        client_data: as in `Assertion`.
        authenticator_data: likewise.
        signature: likewise.
    """

    id: str
    public_key: str
    rp: str
    client_data: str
    authenticator_data: str
    signature: str

    @property
    def fingerprint(self) -> str:
        """What people tell passkeys apart by."""
        return fingerprint(self.public_key)

    def to_text(self) -> str:
        """Return its canonical JSON (RFC 8785)."""
        return canonical(_codec().dump_python(self)).decode()


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """What a valid signature says of itself.

    Attributes:
        origin: the page that asked for it.
        counter: how often the passkey has signed, if it counts; else 0.
    """

    origin: str
    counter: int


@cache
def _codec() -> TypeAdapter[SignedApproval]:
    # Made when it is first needed: no start of the app waits for it.
    return TypeAdapter(SignedApproval)


def read_signed(text: str) -> SignedApproval:
    """Return what `to_text` was of.

    Raises:
        PasskeyFault: it is something else.
    """
    try:
        signed = _codec().validate_json(text, strict=True)
    except ValidationError:
        raise PasskeyFault("It is not a signature by a passkey.") from None
    if signed.to_text() != text:
        raise PasskeyFault("It is not in the form of a signature by a passkey.")
    return signed


def fingerprint(public_key: str) -> str:
    """Return the SHA-256 of a public key, as 64 hexadecimal digits."""
    try:
        return sha256(from_base64url(public_key))
    except ValueError:
        raise PasskeyFault("The public key of the passkey can't be read.") from None


def check(signed: SignedApproval, challenge: bytes) -> Seen:
    """Check a signature: by this key, over this challenge, for this domain, by a verified user.

    Raises:
        PasskeyFault: it doesn't hold.
    """
    # Imported here: no start of the app is to load cryptography.
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from fido2.server import Fido2Server
    from fido2.webauthn import (
        AuthenticatorData,
        CollectedClientData,
        PublicKeyCredentialRpEntity,
    )

    server = Fido2Server(PublicKeyCredentialRpEntity(id=signed.rp, name=signed.rp))
    try:
        client_data = CollectedClientData(from_base64url(signed.client_data))
        said = AuthenticatorData(from_base64url(signed.authenticator_data))
        server.authenticate_complete(_state(challenge), [_credential(signed)], _response(signed))
        if client_data.cross_origin:
            raise ValueError("a page that is embedded in another one asked for it")
    except (*UNREADABLE, InvalidSignature, UnsupportedAlgorithm) as error:
        raise PasskeyFault(f"The signature does not count: {reason_of(error)}.") from error
    return Seen(origin=client_data.origin, counter=said.counter)


def _state(challenge: bytes) -> dict[str, Any]:
    return {"challenge": to_base64url(challenge), "user_verification": "required"}


def _credential(signed: SignedApproval) -> Any:
    from fido2 import cbor
    from fido2.cose import CoseKey
    from fido2.webauthn import Aaguid, AttestedCredentialData

    parts: Any = cbor.decode(from_base64url(signed.public_key))
    key = CoseKey.parse(parts)
    return AttestedCredentialData.create(Aaguid.NONE, from_base64url(signed.id), key)


def _response(signed: SignedApproval) -> dict[str, Any]:
    return {
        "id": signed.id,
        "rawId": signed.id,
        "type": "public-key",
        "clientExtensionResults": {},
        "response": {
            "clientDataJSON": signed.client_data,
            "authenticatorData": signed.authenticator_data,
            "signature": signed.signature,
        },
    }


def reason_of(error: Exception) -> str:
    """Return what the library says, as the end of a sentence."""
    text = str(error).rstrip(".") if isinstance(error, ValueError) else ""
    return f"{text[:1].lower()}{text[1:]}" or "it can't be read"
