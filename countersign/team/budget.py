"""Bound what a run may cost: tokens in all, and turns in each tool loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

from agent_framework import (
    ChatContext,
    ChatMiddleware,
    ChatResponse,
    FunctionInvocationConfiguration,
    Message,
)

from countersign.team.errors import BudgetSpent

# The framework's own default is 40 turns and no bound on calls or time.
TOOL_LOOP = FunctionInvocationConfiguration(
    max_iterations=4, max_function_calls=6, max_duration_seconds=120
)
LONGEST_ANSWER_TOKENS = 8_000
CHARACTERS_PER_TOKEN = 4


Spend: TypeAlias = Callable[[int], Awaitable[int]]


class TokenBudget(ChatMiddleware):
    """Count the tokens of every model call, and refuse a call once the limit is reached.

    One call can go over the limit by what it costs itself, no more. Where a provider reports no
    usage the tokens are estimated, so that a budget can't be blind.

    Args:
        limit: Tokens that may be used in all.
        used: Tokens that earlier steps of the same run have used.
        spend: Records what a call cost, and returns what is used in all by now, by whomever. It
            lets steps that run side by side keep to one limit.
    """

    def __init__(self, limit: int, used: int = 0, spend: Spend | None = None) -> None:
        self.limit = limit
        self.used = used
        self.spend = spend

    async def process(self, context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
        """Let the call through and count it.

        Raises:
            BudgetSpent: The limit had been reached before the call.
        """
        if self.used >= self.limit:
            raise BudgetSpent(self.used, self.limit)
        await call_next()
        asked = sum(_length(message) for message in context.messages)
        if isinstance(context.result, ChatResponse):
            cost = _cost(context.result, asked)
            self.used = await self.spend(cost) if self.spend else self.used + cost
        elif context.result is not None:
            context.result = context.result.with_result_hook(partial(self._count, asked))

    def _count(self, asked: int, response: ChatResponse[Any]) -> ChatResponse[Any]:
        self.used += _cost(response, asked)
        return response


def _cost(response: ChatResponse[Any], asked: int) -> int:
    return _tokens(response) or (asked + len(response.text)) // CHARACTERS_PER_TOKEN


def _tokens(response: ChatResponse[Any]) -> int:
    usage = response.usage_details or {}
    both = (usage.get("input_token_count") or 0) + (usage.get("output_token_count") or 0)
    return usage.get("total_token_count") or both


def _length(message: Message) -> int:
    return sum(len(part.text or "") + len(str(part.result or "")) for part in message.contents)
