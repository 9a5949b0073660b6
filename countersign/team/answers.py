"""Ask an agent one question, and take nothing but an answer in the agreed form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from agent_framework import Agent, AgentResponse, ChatOptions, FunctionTool, SupportsChatGetResponse
from agent_framework.exceptions import ChatClientException
from pydantic import BaseModel, ValidationError

from countersign.team.budget import LONGEST_ANSWER_TOKENS, TokenBudget
from countersign.team.errors import ModelRefused, ModelUnavailable, TeamError, UnusableAnswer

ChatClient = SupportsChatGetResponse[Any]
Form = TypeVar("Form", bound=BaseModel)

# By name, as the SDK that owns the class is imported only if it is used.
_NO_CONNECTION = "APIConnectionError"
_TRANSIENT = frozenset({408, 409, 425, 429})
_FENCED = re.compile(r"```\w*\n(.*)\n```", re.DOTALL)


def agent(
    client: ChatClient,
    *,
    name: str,
    prompt: str,
    budget: TokenBudget,
    tools: Sequence[FunctionTool] = (),
) -> Agent[Any]:
    """Make an agent for one call: it keeps no session, and shares nothing with any other."""
    return Agent(
        client=client,
        name=name,
        instructions=prompt,
        tools=list(tools),
        middleware=[budget],
    )


async def answer(asked: Agent[Any], question: Mapping[str, object], form: type[Form]) -> Form:
    """Put a question and return the answer.

    The question goes out as one JSON object, so that no text in it can pass for another part of it.

    Raises:
        ModelUnavailable: No connection, too slow, overloaded, or a fault of the provider's.
        ModelRefused: Refused for good.
        UnusableAnswer: Not in the agreed form.
        BudgetSpent: No tokens are left.
    """
    message = json.dumps(question, ensure_ascii=False)
    options: ChatOptions[Form] = {"response_format": form, "max_tokens": LONGEST_ANSWER_TOKENS}
    try:
        reply = await asked.run(message, options=options)
    except ChatClientException as error:
        # The provider's words may repeat the key or the prompt, so they end here.
        raise _fault(error) from None
    return _in_form(_last_text(reply), form)


def _fault(error: ChatClientException) -> TeamError:
    cause = error.__cause__
    if isinstance(cause, TeamError):
        return cause
    status = getattr(cause, "status_code", None)
    if status is None and _NO_CONNECTION in map(_name, type(cause).__mro__):
        return ModelUnavailable("the model can't be reached or took too long")
    if status is None:
        return UnusableAnswer("the model's answer isn't one of the chat completions API")
    if status in _TRANSIENT or status >= 500:
        return ModelUnavailable(f"the model answered with HTTP status {status}")
    return ModelRefused(f"the model's provider refused the request with HTTP status {status}")


def _name(kind: type) -> str:
    return kind.__name__


def _last_text(reply: AgentResponse[Any]) -> str:
    texts = [message.text for message in reply.messages if message.role == "assistant"]
    return next((text for text in reversed(texts) if text.strip()), "")


def _in_form(text: str, form: type[Form]) -> Form:
    fenced = _FENCED.fullmatch(text.strip())
    try:
        return form.model_validate_json(fenced.group(1) if fenced else text)
    except ValidationError as error:
        raise UnusableAnswer(
            f"the model's answer is no {form.__name__}: {error.error_count()} faults"
        ) from None
