"""The client for OpenAI, Azure OpenAI and any URL that speaks their chat completions API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from agent_framework import Content
from agent_framework.openai import OpenAIChatCompletionClient
from httpx2 import Limits, Response
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from countersign.team.calls import ChatClient
from countersign.team.chat import OPENAI_URL, ModelChoice, TokenProvider
from countersign.team.dialect import status_named

# Local servers ask for no key, but the SDK does, and would look for OPENAI_API_KEY.
NO_KEY = "none"

_UNNAMED = 500


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
        http_client=DefaultAsyncHttpxClient(
            limits=Limits(max_keepalive_connections=0), event_hooks={"response": [_as_it_is]}
        ),
    )
    return OpenAIChatCompletionClient(
        model=choice.model, async_client=sdk, response_parser=_with_thoughts
    )


async def _as_it_is(response: Response) -> None:
    """Give an error that was sent with status 200, as OpenRouter does, the status that it names.

    An error in a stream that has begun is told by the stream.
    """
    kind = response.headers.get("content-type", "")
    if response.status_code != 200 or "json" not in kind:
        return
    await response.aread()
    try:
        told = response.json()
    except ValueError:
        return
    if (status := _status_in(told)) is not None:
        response.status_code = status


def _status_in(told: object) -> int | None:
    """Return the HTTP status of an error, if a body is one and no answer; 500 if it names none."""
    body = _object(told)
    if not body.get("error") or body.get("choices"):
        return None
    return status_named(_object(body["error"]).get("code")) or _UNNAMED


def _object(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _with_thoughts(message: Any, contents: list[Content]) -> list[Content]:
    """Add what a server sends of a model's thoughts: some put the answer there."""
    told = (getattr(message, name, None) for name in ("reasoning_content", "reasoning"))
    thoughts = next((each for each in told if isinstance(each, str) and each), None)
    return contents + [Content.from_text_reasoning(text=thoughts)] * (thoughts is not None)


def _base_url(choice: ModelChoice) -> str:
    if choice.base_url is None:
        return OPENAI_URL
    if choice.provider == "azure":
        # Azure's version 1 API is served under this path of each resource's endpoint.
        return choice.base_url.rstrip("/").removesuffix("/openai/v1") + "/openai/v1"
    return choice.base_url
