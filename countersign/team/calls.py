"""The model calls of one step: each within the budget, kept once it is paid for, and seen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any, Protocol

from agent_framework import SupportsChatGetResponse
from pydantic import BaseModel, ConfigDict

from countersign.platform.threads import RESEARCH
from countersign.team.budget import TokenBudget, estimated
from countersign.team.chat import EXTRACTIVE, ModelChoice, TokenProvider, chat_client
from countersign.team.dialect import Spoken
from countersign.team.errors import TeamError

ChatClient = SupportsChatGetResponse[Any]

TokensTold = Callable[[int], Awaitable[None]]
"""Is told about how many tokens of an answer have come so far."""


class Request(BaseModel):
    """All that a model is asked with in one call.

    Attributes:
        role: who it is to be.
        prompt: the role's instructions.
        question: what it is asked.
        form: the JSON schema of the answer.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    role: str
    prompt: str
    question: str
    form: dict[str, Any]

    @property
    def prompt_digest(self) -> str:
        """Which instructions these are: the SHA-256 of their text."""
        return sha256(self.prompt.encode()).hexdigest()


class Reply(BaseModel):
    """What came back of one call.

    Attributes:
        text: the answer, whatever form it is in.
        finish: why it ends, as the provider says: `stop`, `length`, `content_filter` and others.
        refusal: whether the text is a refusal.
        tokens: what the call cost, in all.
        prompt: the SHA-256 of the instructions that it was made with.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    text: str
    finish: str | None = None
    refusal: bool = False
    tokens: int
    prompt: str = ""


class Kept(Protocol):
    """Where replies are kept, so that what was asked and paid for is not asked again."""

    async def get(self, request: Request) -> Reply | None:
        """Return the reply to an equal request, None if there is none."""
        ...

    async def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; the first to a request stands."""
        ...

    async def begin(self, request: Request) -> bool:
        """Note that a call is made; says whether one before it was never heard of again."""
        ...

    async def fail(self, request: Request) -> None:
        """Note that the call that was begun last brought no reply."""
        ...


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

    async def client(self) -> ChatClient:
        """Return the chat client, one for the whole step; the first in a process loads its SDK."""
        if self._client is None:
            self._client = await RESEARCH.run(chat_client, self.choice, self._token)
        return self._client

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
