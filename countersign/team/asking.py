"""Ask the model as one of the team, and take nothing but an answer in the agreed form.

Each role has a name, and instructions that are kept as a file of `prompts`.

Each call is one conversation: what is sent, what came back, and what a failure means.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, cast

from agent_framework import Agent, AgentResponse, AgentResponseUpdate, ChatOptions
from agent_framework.exceptions import ChatClientContentFilterException, ChatClientException
from pydantic import BaseModel

from countersign.platform.threads import RESEARCH
from countersign.team.budget import estimated
from countersign.team.calls import Calls, Reply, Request
from countersign.team.dialect import said_in, status_named
from countersign.team.errors import (
    AccessRefused,
    AnswerCut,
    AnswerRefused,
    Busy,
    ContextTooSmall,
    Filtered,
    NotAModel,
    ProviderFailed,
    QuotaSpent,
    RequestRefused,
    TeamError,
    TooSlow,
    UnknownModel,
    Unreachable,
    UnusableAnswer,
)
from countersign.team.progress import SECONDS_BETWEEN
from countersign.team.reading import Form, read_begun
from countersign.team.replies import raise_unless_usable, read_reply, reply_of

PROMPTS = Path(__file__).parent / "prompts"


@dataclass(frozen=True, kw_only=True, slots=True)
class Role:
    """One of the team.

    Attributes:
        name: as traces show it.
        file: of its instructions, without the `.md`.
    """

    name: str
    file: str

    @property
    def prompt(self) -> str:
        """The instructions, without the comment at their head that names their version."""
        return _prompt(self.file)


PLANNER = Role(name="Planner", file="plan")
RESEARCHER = Role(name="Researcher", file="research")
FACT_CHECKER = Role(name="FactChecker", file="check")
REVISER = Role(name="Researcher", file="revise")
WRITER = Role(name="Writer", file="write")
PROOFREADER = Role(name="Proofreader", file="proofread")
CONSULTANT = Role(name="FactChecker", file="consult")


@cache
def _prompt(file: str) -> str:
    text = (PROMPTS / f"{file}.md").read_text(encoding="utf-8")
    _, _, instructions = text.partition("-->\n")
    return instructions.strip()


SECOND_CHANCES = 2
"""How often a model whose answer can't be used is told why, and asked once more."""

_AGAIN = (
    "\n\nAn answer to this could not be used: {why}. This is try {number}: answer with one JSON"
    " object in the agreed form."
)


def _accepted(_: BaseModel) -> None:
    pass


async def answer(
    calls: Calls,
    role: Role,
    question: str,
    form: type[Form],
    *,
    check: Callable[[Form], None] = _accepted,
    enough: Callable[[Form], bool] = bool,
) -> Form:
    """Put a question and return the answer.

    Args:
        calls: Makes the call.
        role: Who is asked.
        question: What is asked; each call is a conversation of its own.
        form: What the answer has to be.
        check: Raises UnusableAnswer for an answer in the form that can't be used all the same; runs
            on a thread of its own.
        enough: Whether an answer that was cut off is taken with what came of it, before the model
            is asked to say less. It is taken anyway if that doesn't help.

    Raises:
        TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
    """
    asked = question
    for number in range(2, SECOND_CHANCES + 3):
        request = Request(
            role=role.name, prompt=role.prompt, question=asked, form=form.model_json_schema()
        )
        try:
            reply = await ask(calls, request, form)
            told = read_reply(reply, form)
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


# By name, as the SDKs that own the classes are imported only if they are used.
_NO_CONNECTION = frozenset({"APIConnectionError", "TransportError"})
_TIMEOUTS = frozenset({"APITimeoutError", "TimeoutException"})
_TOLD_IN_THE_STREAM = "APIError"

_BY_STATUS: Mapping[int, type[TeamError]] = {
    401: AccessRefused,
    402: QuotaSpent,
    403: AccessRefused,
    404: UnknownModel,
    408: ProviderFailed,
    409: ProviderFailed,
    413: ContextTooSmall,
    425: ProviderFailed,
    429: Busy,
}
_BY_CODE: Mapping[str, type[TeamError]] = {
    "billing_hard_limit_reached": QuotaSpent,
    "content_filter": Filtered,
    "content_policy_violation": Filtered,
    "context_length_exceeded": ContextTooSmall,
    "exceed_context_size_error": ContextTooSmall,
    "insufficient_quota": QuotaSpent,
    "invalid_api_key": AccessRefused,
    "model_not_found": UnknownModel,
    "string_above_max_length": ContextTooSmall,
}
# vLLM, LM Studio, Mistral and others have no code for it.
_NAMES_CONTEXT = re.compile(
    r"context[ _](?:length|size|window)|maximum model length|prompt is too long"
    r"|too many (?:input )?tokens|input token count",
    re.IGNORECASE,
)
_BAD_REQUEST = frozenset({400, 422})
_CODE = re.compile(r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+){0,7}", re.IGNORECASE)
_LONGEST_CODE = 60


async def ask(calls: Calls, request: Request, form: type[BaseModel]) -> Reply:
    """Put one request to the model, in a conversation of its own and without any tools.

    Raises:
        TeamError: There is no answer that could be read, see `errors`.
    """
    most = estimated(request.prompt, request.question) + calls.choice.answer_tokens
    reply = await calls.make(request, most, lambda: _call(calls, request, form))
    raise_unless_usable(reply)
    return reply


async def _call(calls: Calls, request: Request, form: type[BaseModel]) -> Reply:
    """Put a request as the model's API takes it, which its refusals may have to show first."""
    agent = Agent(client=await calls.client(), name=request.role, instructions=request.prompt)
    asked = estimated(request.prompt, request.question)
    while True:
        dialect, arrived = calls.spoken.dialect, _Arriving(calls)
        options = cast("ChatOptions[Any]", dialect.options(form, calls.choice.answer_tokens))
        answer = arrived.whole(agent, dialect.question(request.question, form), options)
        try:
            answered = await asyncio.wait_for(answer, calls.choice.request_seconds)
        except asyncio.TimeoutError:
            raise TooSlow(tokens=asked + arrived.tokens) from None
        except ChatClientException as error:
            fault = _fault(error)
            unknown = type(fault) in (RequestRefused, ProviderFailed)
            if unknown and calls.spoken.learned(dialect, error.__cause__):
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


def _fault(error: ChatClientException) -> TeamError:
    cause = error.__cause__
    if isinstance(cause, TeamError):
        return cause
    kinds = {kind.__name__ for kind in type(cause).__mro__}
    if kinds & _TIMEOUTS:
        return TooSlow()
    if kinds & _NO_CONNECTION:
        return Unreachable()
    status = _status_of(cause)
    if status is None and _TOLD_IN_THE_STREAM not in kinds:
        return NotAModel()
    code = _code_of(cause)
    if isinstance(error, ChatClientContentFilterException):
        return Filtered(status=status, code=code)
    kind = _BY_CODE.get(code or "") or _BY_STATUS.get(status or 500)
    if kind is None and status in _BAD_REQUEST and _NAMES_CONTEXT.search(said_in(cause)):
        kind = ContextTooSmall
    if kind is None:
        kind = RequestRefused if status and status < 500 else ProviderFailed
    return kind(status=status, code=code)


def _status_of(cause: object) -> int | None:
    """Return the HTTP status of an answer; in a stream that has begun, the code that is one."""
    status: int | None = getattr(cause, "status_code", None)
    return status or status_named(getattr(cause, "code", None))


def _code_of(cause: object) -> str | None:
    """Return the provider's code for its error, if it is a short identifier and no sentence."""
    body: Any = getattr(cause, "body", None)
    named: tuple[Any, ...] = (getattr(cause, "code", None), getattr(cause, "type", None))
    if isinstance(body, dict):
        fields = cast("Mapping[str, Any]", body)
        named = (*named, fields.get("code"), fields.get("type"))
    fit = (each for each in named if isinstance(each, str) and len(each) <= _LONGEST_CODE)
    return next((each for each in fit if _CODE.fullmatch(each)), None)
