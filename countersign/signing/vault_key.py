"""A key in Azure Key Vault that signs there and never leaves it.

Key Vault has keys for ES256 and for RSA, and none for Ed25519:
https://learn.microsoft.com/azure/key-vault/keys/about-keys-details
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from countersign.proof import p256
from countersign.proof.keys import SETTING, NoKey, ProofKey, SigningKey, description, read_proof_key
from countersign.proof.public_key import PublicKey, public_key
from countersign.stores.errors import StoreUnavailable

if TYPE_CHECKING:
    from azure.keyvault.keys.crypto import CryptographyClient

ADDRESS = "COUNTERSIGN_PROOF_VAULT_KEY"
PUBLIC = "COUNTERSIGN_PROOF_VAULT_PUBLIC_KEY"

ROLE = "Key Vault Crypto User"
"""What the app's identity has to be, on the key alone."""

_ADDRESS = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?/keys/[A-Za-z0-9-]{1,127}/[0-9a-f]{32}")

# As long as a table is waited for: a person waits for their decision to be recorded.
_CONNECT_SECONDS = 3
_ANSWER_SECONDS = 7

_REFUSED = frozenset({400, 401, 403, 404})
"""What a vault answers when only an operator can help: no role, no such key, a disabled one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VaultKey:
    """A `SigningKey` in a key vault.

    Attributes:
        address: of one version of it, which tells it from the one after a rotation.
        public: what belongs to it, so that nobody has to ask the vault to check a signature.
    """

    address: str
    public: PublicKey

    @property
    def waits(self) -> bool:
        """The vault is another machine."""
        return True

    def sign(self, data: bytes) -> str:
        """Return the vault's signature over some bytes, in Base64; it is sent only their SHA-256.

        Raises:
            NoKey: the vault refuses, or it signs with another key.
            StoreUnavailable: it can't be reached, or can't answer now.
        """
        value = p256.one_form(_signed_by_vault(self.address, p256.digest(data)))
        signature = base64.b64encode(value).decode()
        if not self.public.has_signed(signature, data):
            raise NoKey(f"Nothing can be signed: {PUBLIC} is not that of {ADDRESS}.")
        return signature

    def described(self) -> dict[str, Any]:
        """Return a bundle's description of the key that signed it."""
        return description(self.public)


def read_signing_key(environment: Mapping[str, str]) -> SigningKey | None:
    """Return the key that the settings name, in a vault or at hand; None if they name none.

    Raises:
        ValueError: they contradict each other, or one is malformed.
    """
    at_hand: ProofKey | None = read_proof_key(environment)
    address = environment.get(ADDRESS, "").strip()
    if not address:
        return at_hand
    if at_hand:
        raise ValueError(f"{SETTING} and {ADDRESS} contradict each other: set one of them")
    if not _ADDRESS.fullmatch(address):
        raise ValueError(
            f"{ADDRESS} must be the address of a version of a key, such as"
            f" https://VAULT.vault.azure.net/keys/NAME/VERSION, not {address!r}"
        )
    return VaultKey(address=address, public=_public(environment.get(PUBLIC, "").strip()))


def _public(text: str) -> PublicKey:
    try:
        key = public_key(text)
    except ValueError:
        key = None
    if key is None or key.algorithm != p256.ALGORITHM:
        raise ValueError(f"{PUBLIC} must be the public key of {ADDRESS}: its DER (P-256) in Base64")
    return key


def _signed_by_vault(address: str, digest: bytes) -> bytes:
    from azure.core.exceptions import AzureError, HttpResponseError
    from azure.keyvault.keys.crypto import SignatureAlgorithm

    from countersign.platform.own_identity import NoToken

    try:
        return _client(address).sign(SignatureAlgorithm.es256, digest).signature
    except HttpResponseError as error:
        if error.status_code in _REFUSED:
            raise NoKey(
                f"Nothing can be signed: the key vault answers {error.status_code} for {ADDRESS}."
            ) from error
        raise StoreUnavailable(f"the key vault answers {error.status_code}") from error
    except ValueError as error:
        # So the client says that a token was wanted for somebody else than this vault.
        raise NoKey(f"Nothing can be signed: what answers at {ADDRESS} is no key vault.") from error
    except (AzureError, NoToken) as error:
        # Not in its own words: they name the folders and ways that were tried.
        raise StoreUnavailable(f"the key vault can't be asked: {type(error).__name__}") from error


@lru_cache(4)
def _client(address: str) -> CryptographyClient:
    from azure.keyvault.keys.crypto import CryptographyClient

    from countersign.platform.own_identity import credential

    return CryptographyClient(
        address,
        credential(os.environ.get("AZURE_CLIENT_ID") or None),
        connection_timeout=_CONNECT_SECONDS,
        read_timeout=_ANSWER_SECONDS,
        retry_total=1,
    )
