"""Choose the model by environment, and make its chat client."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, cast, get_args
from urllib.parse import urlsplit

from countersign.team.errors import ModelNotConfigured

if TYPE_CHECKING:
    from countersign.team.calls import ChatClient

Provider = Literal["extractive", "openai", "azure", "compatible"]
TokenProvider = Callable[[], Awaitable[str]]

PROVIDER_KEY = "COUNTERSIGN_MODEL_PROVIDER"
MODEL_KEY = "COUNTERSIGN_MODEL"
URL_KEY = "COUNTERSIGN_MODEL_URL"
SECRET_KEY = "COUNTERSIGN_MODEL_KEY"  # noqa: S105 - the name of a setting
SECONDS_KEY = "COUNTERSIGN_MODEL_SECONDS"
ANSWER_KEY = "COUNTERSIGN_MODEL_ANSWER_TOKENS"
SHOWN_KEY = "COUNTERSIGN_MODEL_SHOWN_CHARACTERS"

AZURE_HOSTS = (
    ".openai.azure.com",
    ".services.ai.azure.com",
    ".cognitiveservices.azure.com",
    ".openai.azure.us",
    ".cognitiveservices.azure.us",
    ".openai.azure.cn",
)
"""Whose the app's identity is shown to; anybody else could act with its token."""

OPENAI_URL = "https://api.openai.com/v1"
REQUEST_SECONDS = 300.0
LONGEST_REQUEST_SECONDS = 1_500.0
"""Of three calls one after the other the first two have time within `functionTimeout`; and what was
answered before the host ends a function is kept."""

RETRIES = 1
ANSWER_TOKENS = 8_000
SHOWN_CHARACTERS = 16_000

EXTRACTIVE = "extractive"
"""The provider that is this package."""

_NEEDED: Mapping[Provider, tuple[str, ...]] = {
    "extractive": (),
    "openai": (MODEL_KEY, SECRET_KEY),
    "azure": (MODEL_KEY, URL_KEY),
    "compatible": (MODEL_KEY, URL_KEY),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelChoice:
    """Which model to ask, and where.

    Args:
        provider: `compatible` is any URL that speaks the OpenAI chat completions API.
        model: The model's name, for Azure the deployment's.
        base_url: For Azure the resource's endpoint, for `compatible` the URL that ends in `/v1`.
        api_key: Never shown. Azure can do without, see `chat_client`.
        request_seconds: How long one request may take.
        retries: How often a failed request is tried again at once.
        answer_tokens: How long an answer may be, a model's reasoning included.
        shown_characters: Characters of passages or claims that one request may show.
        stream: Whether answers are to come piece by piece.
    """

    provider: Provider
    model: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    request_seconds: float = REQUEST_SECONDS
    retries: int = RETRIES
    answer_tokens: int = ANSWER_TOKENS
    shown_characters: int = SHOWN_CHARACTERS
    stream: bool = True


def choose(env: Mapping[str, str]) -> ModelChoice:
    """Read the choice from the COUNTERSIGN_MODEL settings and from no others.

    A stray OPENAI_API_KEY, say, must not send anyone's documents to another provider.

    Raises:
        ModelNotConfigured: An unknown provider, or missing settings, all of them named.
    """
    provider = env.get(PROVIDER_KEY, "").strip().lower() or EXTRACTIVE
    if provider not in get_args(Provider):
        known = ", ".join(get_args(Provider))
        raise ModelNotConfigured([f"{PROVIDER_KEY} is {provider!r}, not one of {known}"])
    values = {key: env.get(key, "").strip() or None for key in (MODEL_KEY, URL_KEY, SECRET_KEY)}
    chosen = cast("Provider", provider)
    missing = [key for key in _NEEDED[chosen] if values[key] is None]
    if missing:
        raise ModelNotConfigured([f"{key} is missing, but {provider} needs it" for key in missing])
    identified = provider == "azure" and not values[SECRET_KEY]
    faults = [f"{URL_KEY} {fault}"] if (fault := _fault_of(values[URL_KEY], identified)) else []
    bounds = {name: _number(env, *each, faults) for name, each in _BOUNDS.items()}
    if faults:
        raise ModelNotConfigured(faults)
    return ModelChoice(
        provider=chosen,
        model=values[MODEL_KEY],
        base_url=values[URL_KEY],
        api_key=values[SECRET_KEY],
        request_seconds=bounds["request_seconds"],
        answer_tokens=int(bounds["answer_tokens"]),
        shown_characters=int(bounds["shown_characters"]),
    )


_BOUNDS: Mapping[str, tuple[str, float, float, float]] = {
    "request_seconds": (SECONDS_KEY, REQUEST_SECONDS, 1, LONGEST_REQUEST_SECONDS),
    "answer_tokens": (ANSWER_KEY, ANSWER_TOKENS, 200, 1_000_000),
    "shown_characters": (SHOWN_KEY, SHOWN_CHARACTERS, 500, 1_000_000),
}
"""Of a choice's bounds the setting, what it is without one, and between what it has to be."""


def _number(
    env: Mapping[str, str], key: str, usual: float, least: float, most: float, faults: list[str]
) -> float:
    text = env.get(key, "").strip() or str(usual)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        faults.append(f"{key} must be a number from {least:g} to {most:g}, not {text!r}")
    return value


def _fault_of(url: str | None, identified: bool) -> str | None:
    """Return what is wrong with an address; `identified` if the app's identity is sent to it."""
    if url is None:
        return None
    try:
        address = urlsplit(url)
    except ValueError:
        return "is not an address"
    if address.scheme not in ("http", "https") or not address.hostname:
        return "must be an address such as https://host/v1"
    if address.username is not None or address.password is not None:
        return "must not hold a user name or password"
    ours = address.scheme == "https" and address.hostname.endswith(AZURE_HOSTS)
    if identified and not ours:
        return f"must be an https address at {' or '.join(AZURE_HOSTS)} unless there is a key"
    return None


def chat_client(choice: ModelChoice, token: TokenProvider | None = None) -> ChatClient:
    """Make the chat client; the OpenAI SDK is imported only if it is needed.

    Args:
        choice: The model.
        token: Returns a fresh access token, for Azure without a key (a managed identity).

    Raises:
        ModelNotConfigured: Azure was given neither a key nor a token.
    """
    if choice.provider == EXTRACTIVE:
        from countersign.team.extractive.client import ExtractiveChatClient

        return ExtractiveChatClient()
    if choice.provider == "azure" and not (choice.api_key or token):
        raise ModelNotConfigured(
            [f"{SECRET_KEY} is missing, and there is no identity to use instead"]
        )
    from countersign.team.openai import openai_client

    return openai_client(choice, token)


def model_name(choice: ModelChoice) -> str:
    """Return the model's name."""
    return choice.model if choice.provider != EXTRACTIVE and choice.model else EXTRACTIVE
