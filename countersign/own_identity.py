"""The app's own identity in Azure, which stands in for a model's key."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING

from countersign.team.errors import ModelUnavailable

if TYPE_CHECKING:
    from azure.core.credentials import TokenCredential

MODELS = "https://cognitiveservices.azure.com/.default"
"""What a token has to be for to be taken by Azure OpenAI."""


async def model_token() -> str:
    """A token for Azure OpenAI; the credential keeps it until it is about to expire.

    `AZURE_CLIENT_ID` names a user-assigned identity, as everywhere in Azure's libraries.

    Raises:
        ModelUnavailable: the identity can't be had now.
    """
    return await asyncio.to_thread(_token)


def _token() -> str:
    from azure.core.exceptions import ClientAuthenticationError

    try:
        return _credential().get_token(MODELS).token
    except ClientAuthenticationError:
        # What it says names every way that was tried, and folders of this machine.
        raise ModelUnavailable("the app's own identity has no token for the model now") from None


@cache
def _credential() -> TokenCredential:
    # Imported at first use: most models have a key, or none.
    from azure.identity import DefaultAzureCredential

    return DefaultAzureCredential()
