"""Ask the model as one of the team, and take nothing but an answer in the agreed form.

Each call is one conversation: within the budget, kept once it is paid for, and seen while it comes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, cast

from agent_framework import (
    Agent,
    AgentResponse,
    AgentResponseUpdate,
    ChatOptions,
    SupportsChatGetResponse,
)
from agent_framework.exceptions import ChatClientException
from pydantic import BaseModel

from countersign.platform.threads import RESEARCH
from countersign.team.budget import TokenBudget, estimated
from countersign.team.chat import EXTRACTIVE, ModelChoice, TokenProvider, chat_client
from countersign.team.dialect import Spoken
from countersign.team.errors import (
    AnswerCut,
    AnswerRefused,
    Filtered,
    ProviderFailed,
    RequestRefused,
    TeamError,
    TooSlow,
    UnusableAnswer,
)
from countersign.team.progress import SECONDS_BETWEEN
from countersign.team.provider_faults import fault_of
from countersign.team.reading import Form, read_begun
from countersign.team.replies import Kept, Reply, read_reply, reply_of
from countersign.team.roles import Request, Role

ChatClient = SupportsChatGetResponse[Any]

TokensTold = Callable[[int], Awaitable[None]]
"""Is told about how many tokens of an answer have come so far."""

SECOND_CHANCES = 2
"""How often a model whose answer can't be used is told why, and asked once more."""

_AGAIN = (
    "\n\nAn answer to this could not be used: {why}. This is try {number}: answer with one JSON"
    " object in the agreed form."
)


def _accepted(_: BaseModel) -> None:
    pass


class Calls:
    """Makes the calls of one step.

    Args:
        choice: The model.
        budget: What the calls may cost.
        token: What a model on Azure is asked with if it has no key.
        kept: Where replies are kept; None if nowhere.
        told: Is told how an answer comes along.
        spoken: What the model's API is known to take.
    """

    def __init__(
        self,
        choice: ModelChoice,
        budget: TokenBudget,
        *,
        token: TokenProvider | None = None,
        kept: Kept | None = None,
        told: TokensTold | None = None,
        spoken: Spoken | None = None,
    ) -> None:
        self.choice, self.budget, self._token = choice, budget, token
        self._kept, self.told = kept, told
        self.spoken = spoken or Spoken()
        self._client: ChatClient | None = None

    async def answer(
        self,
        role: Role,
        question: str,
        form: type[Form],
        *,
        check: Callable[[Form], None] = _accepted,
        enough: Callable[[Form], bool] = bool,
    ) -> Form:
        """Put a question and return the answer.

        Args:
            role: Who is asked.
            question: What is asked; each call is a conversation of its own.
            form: What the answer has to be.
            check: Raises UnusableAnswer for an answer in the form that can't be used all the same;
                runs on a thread of its own.
            enough: Whether an answer that was cut off is taken as far as it came, before the model
                is asked to say less. It is taken anyway if that doesn't help.

        Raises:
            TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
        """
        asked = question
        for number in range(2, SECOND_CHANCES + 3):
            try:
                told = await self._ask(role.asked(asked, form), form)
                await RESEARCH.run(check, told)
            except UnusableAnswer as error:
                last = number > 1 + SECOND_CHANCES
                begun = read_begun(error.begun, form) if isinstance(error, AnswerCut) else None
                if begun and (last or enough(begun)):
                    return begun
                if last or isinstance(error, (AnswerRefused, Filtered)):
                    raise
                asked = question + _AGAIN.format(why=error.advice, number=number)
            else:
                return told
        raise AssertionError

    async def client(self) -> ChatClient:
        """Return the chat client, one for the whole step; the first in a process loads its SDK."""
        if self._client is None:
            self._client = await RESEARCH.run(chat_client, self.choice, self._token)
        return self._client

    async def _ask(self, request: Request, form: type[Form]) -> Form:
        """Put one request to the model, in a conversation of its own and without any tools.

        Raises:
            TeamError: There is no answer that could be read, see `errors`.
        """
        most = estimated(request.prompt, request.question) + self.choice.answer_tokens
        reply = await self.make(request, most, lambda: self._call(request, form))
        return read_reply(reply, form)

    async def make(
        self, request: Request, most: int, call: Callable[[], Awaitable[Reply]]
    ) -> Reply:
        """Make a call, unless an equal one was made before.

        What it cost is recorded before the reply is kept: a process that dies in between pays
        again, and says so. What a call cost that died with its process, no provider says; it counts
        as what was asked, before the next one is made.

        Args:
            request: What is asked.
            most: Tokens that the call may cost.
            call: Makes it.

        Raises:
            BudgetSpent: There are no tokens left for it.
            TeamError: By what `call` raises; what it says that it cost is recorded.
        """
        if self._kept and (reply := await self._kept.get(request)):
            return reply
        async with self.budget.call(most):
            await self._begin(request)
            try:
                reply = await call()
            except TeamError as error:
                if error.tokens:
                    await self.budget.account.spend(error.tokens, request.prompt_digest)
                if self._kept:
                    await self._kept.fail(request)
                raise
            await self.budget.account.spend(reply.tokens, request.prompt_digest)
        if self._kept:
            await self._kept.put(request, reply)
        return reply

    async def _begin(self, request: Request) -> None:
        if self._kept and self.choice.provider != EXTRACTIVE and await self._kept.begin(request):
            asked = estimated(request.prompt, request.question)
            await self.budget.account.spend(asked, request.prompt_digest)

    async def _call(self, request: Request, form: type[BaseModel]) -> Reply:
        """Put a request as the model's API takes it, which its refusals may have to show first."""
        agent = Agent(client=await self.client(), name=request.role, instructions=request.prompt)
        asked = estimated(request.prompt, request.question)
        while True:
            dialect, arrived = self.spoken.dialect, _Arriving(self)
            options = cast("ChatOptions[Any]", dialect.options(form, self.choice.answer_tokens))
            answer = arrived.whole(agent, dialect.question(request.question, form), options)
            try:
                answered = await asyncio.wait_for(answer, self.choice.request_seconds)
            except asyncio.TimeoutError:
                raise TooSlow(tokens=asked + arrived.tokens) from None
            except ChatClientException as error:
                fault = fault_of(error)
                unknown = type(fault) in (RequestRefused, ProviderFailed)
                if unknown and self.spoken.learned(dialect, error.__cause__):
                    continue
                if arrived.tokens or isinstance(fault, TooSlow):
                    fault.tokens = asked + arrived.tokens
                # The provider's words may repeat the key or the prompt, so they end here.
                raise fault from None
            return reply_of(answered, request, form, asked)


class _Arriving:
    """An answer that comes piece by piece."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._characters = 0
        self._told = -SECONDS_BETWEEN

    @property
    def tokens(self) -> int:
        """About how many tokens have come so far."""
        return estimated("x" * self._characters)

    async def whole(
        self, agent: Agent[Any], question: str, options: ChatOptions[Any]
    ) -> AgentResponse[Any]:
        """Wait for the whole answer."""
        await self._tell()
        if self._calls.choice.stream and self._calls.spoken.dialect.streams:
            if reply := await self._in_pieces(agent, question, options):
                return reply
            self._calls.spoken.streams_nothing()
        return await agent.run(question, options=options)

    async def _in_pieces(
        self, agent: Agent[Any], question: str, options: ChatOptions[Any]
    ) -> AgentResponse[Any] | None:
        """Return the answer as it comes; None where answers don't come in pieces."""
        stream, came = agent.run(question, options=options, stream=True), False
        async for update in stream:
            came = True
            await self._take(update)
        return await stream.get_final_response() if came else None

    async def _take(self, update: AgentResponseUpdate) -> None:
        self._characters += len(update.text)
        await self._tell()

    async def _tell(self) -> None:
        now = monotonic()
        if self._calls.told and now - self._told >= SECONDS_BETWEEN:
            self._told = now
            await self._calls.told(self.tokens)
