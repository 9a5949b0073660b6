"""The client for OpenAI, Azure OpenAI and any URL that speaks their chat completions API."""

from __future__ import annotations

from agent_framework.openai import OpenAIChatCompletionClient
from httpx2 import Limits
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from countersign.team.calls import ChatClient
from countersign.team.chat import OPENAI_URL, ModelChoice, TokenProvider

# Local servers ask for no key, but the SDK does, and would look for OPENAI_API_KEY.
NO_KEY = "none"


def openai_client(choice: ModelChoice, token: TokenProvider | None = None) -> ChatClient:
    """Make a client that takes nothing from the environment but what the choice says.

    Args:
        choice: Any provider but the embedded one.
        token: Returns a fresh access token, used if there is no key. It is Azure's alone: whoever
            else were sent it could act as this app.
    """
    sdk = AsyncOpenAI(
        base_url=_base_url(choice),
        api_key=choice.api_key or (token if choice.provider == "azure" else None) or NO_KEY,
        timeout=choice.request_seconds,
        max_retries=choice.retries,
        # Each step has a client of its own, which nobody closes, so no connection is kept.
        http_client=DefaultAsyncHttpxClient(limits=Limits(max_keepalive_connections=0)),
    )
    return OpenAIChatCompletionClient(model=choice.model, async_client=sdk)


def _base_url(choice: ModelChoice) -> str:
    if choice.base_url is None:
        return OPENAI_URL
    if choice.provider == "azure":
        # Azure's version 1 API is served under this path of each resource's endpoint.
        return choice.base_url.rstrip("/").removesuffix("/openai/v1") + "/openai/v1"
    return choice.base_url
