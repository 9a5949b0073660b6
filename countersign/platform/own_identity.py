"""The app's own identity in Azure, in place of keys for the storage account and the model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from countersign.platform.threads import RESEARCH

if TYPE_CHECKING:
    from azure.core.credentials import AccessToken, AccessTokenInfo
    from azure.identity import DefaultAzureCredential


class NoToken(Exception):
    """The identity has no token now, whatever the reason: it may have one later.

    It is no error of the SDKs', so that nobody takes it for an answer of the service that the token
    was wanted for. It has no words of theirs: they name every way that was tried, and folders of
    this machine.
    """


class OwnIdentity:
    """A credential for the SDKs, safe to share; it keeps its tokens until they are about to expire.

    Args:
        client_id: of a user-assigned identity; None for the system-assigned or the developer's.
    """

    def __init__(self, client_id: str | None) -> None:
        # Imported at first use: most installations have keys, or nothing in Azure.
        from azure.identity import DefaultAzureCredential

        self._credential: DefaultAzureCredential = DefaultAzureCredential(
            managed_identity_client_id=client_id
        )

    def get_token(self, *scopes: str, **options: Any) -> AccessToken:
        """Return a token for these scopes.

        Raises:
            NoToken: it can't be had now.
        """
        with _in_our_words():
            return self._credential.get_token(*scopes, **options)

    def get_token_info(self, *scopes: str, **options: Any) -> AccessTokenInfo:
        """Return a token with when to ask for the next one; otherwise as `get_token`."""
        with _in_our_words():
            return self._credential.get_token_info(*scopes, **options)


@contextmanager
def _in_our_words() -> Iterator[None]:
    from azure.core.exceptions import AzureError

    try:
        yield
    except AzureError as error:
        raise NoToken(type(error).__name__) from None


@cache
def credential(client_id: str | None) -> OwnIdentity:
    """Return the one credential of an identity in this process."""
    return OwnIdentity(client_id)


async def token_for(scope: str) -> str:
    """Return a token for a service of Azure's.

    `AZURE_CLIENT_ID` names a user-assigned identity, as everywhere in Azure's libraries.

    Args:
        scope: which service it is for.

    Raises:
        NoToken: it can't be had now.
    """
    identity = credential(os.environ.get("AZURE_CLIENT_ID") or None)
    return (await RESEARCH.run(identity.get_token, scope)).token
