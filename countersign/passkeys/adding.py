"""What a browser answers when somebody makes a passkey (WebAuthn Level 2), and what is taken."""

from __future__ import annotations

from dataclasses import dataclass

from countersign.passkeys.errors import PasskeyFault
from countersign.passkeys.signature import UNREADABLE, reason_of
from countersign.passkeys.site import Site
from countersign.platform.base64url import to_base64url

ALGORITHMS = (-7, -8, -257)
"""ES256, EdDSA and RS256, by their numbers in COSE: what authenticators have."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MadePasskey:
    """What a browser says about a passkey that was made; all in Base64 for addresses.

    Attributes:
        id: the id of the passkey.
        client_data: what the browser says, with the challenge and the origin.
        attestation: what the authenticator says, with the public key.
    """

    id: str
    client_data: str
    attestation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NewKey:
    """A public key of COSE, in Base64 for addresses, and how often it has signed."""

    public_key: str
    counter: int


def new_key(made: MadePasskey, challenge: bytes, site: Site) -> NewKey:
    """Return the public key of a passkey that was made for this challenge on this page.

    Which authenticator has it is not asked: whoever confirms it looks at the person.

    Raises:
        PasskeyFault: it was not, by a user who was verified.
    """
    # Imported here: no start of the app is to load cryptography.
    from fido2 import cbor
    from fido2.server import Fido2Server
    from fido2.webauthn import AttestationConveyancePreference, PublicKeyCredentialRpEntity

    server = Fido2Server(
        PublicKeyCredentialRpEntity(id=site.domain, name=site.domain),
        attestation=AttestationConveyancePreference.NONE,
        verify_origin=lambda origin: origin == site.origin,
    )
    state = {"challenge": to_base64url(challenge), "user_verification": "required"}
    response = {
        "id": made.id,
        "rawId": made.id,
        "type": "public-key",
        "clientExtensionResults": {},
        "response": {"clientDataJSON": made.client_data, "attestationObject": made.attestation},
    }
    try:
        said = server.register_complete(state, response)
        credential = said.credential_data
        if credential is None or to_base64url(credential.credential_id) != made.id:
            raise ValueError("it has another id")
        if credential.public_key.get(3) not in ALGORITHMS:
            raise ValueError("its algorithm is not one of those that are accepted")
    except UNREADABLE as error:
        raise PasskeyFault(f"The passkey was not accepted: {reason_of(error)}.") from error
    return NewKey(public_key=to_base64url(cbor.encode(credential.public_key)), counter=said.counter)
