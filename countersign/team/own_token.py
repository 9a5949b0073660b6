"""What a model on Azure is asked with in place of a key: a token of the app's own identity."""

from __future__ import annotations

from typing import Final

from countersign.platform.own_identity import NoToken, token_for
from countersign.team.errors import NoIdentity

MODELS: Final = "https://cognitiveservices.azure.com/.default"
"""What a token has to be for to be taken by Azure OpenAI."""


async def model_token() -> str:
    """Return a token for Azure OpenAI.

    Raises:
        NoIdentity: The identity can't be had now.
    """
    try:
        return await token_for(MODELS)
    except NoToken:
        raise NoIdentity from None
