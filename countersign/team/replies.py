"""What came back of a call: where the answer stands in it, whether it is whole, what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

from agent_framework import AgentResponse
from pydantic import BaseModel, ConfigDict

from countersign.team.budget import estimated
from countersign.team.errors import (
    AnswerCut,
    AnswerEmpty,
    AnswerRefused,
    AnswerUnfinished,
    Filtered,
    NotInForm,
)
from countersign.team.reading import Form, read
from countersign.team.roles import Request

_MOST_TOKENS = 10**9
_USAGE = ("total", "input", "output")


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


def reply_of(
    reply: AgentResponse[Any], request: Request, form: type[BaseModel], asked: int
) -> Reply:
    """Return what is kept of a reply.

    Args:
        reply: as the framework has it.
        request: what it is a reply to.
        form: what the answer has to be.
        asked: about how many tokens the request had.
    """
    text = _whole_characters(reply.text if reply.text.strip() else _elsewhere(reply, form))
    return Reply(
        text=text,
        finish=str(reply.finish_reason) if reply.finish_reason else None,
        refusal=any(map(_is_refusal, reply.messages)),
        tokens=_tokens(reply) or asked + estimated(text),
        prompt=request.prompt_digest,
    )


def read_reply(reply: Reply, form: type[Form]) -> Form:
    """Return the answer in a reply.

    Where the provider didn't say that the answer ends, a bracket that is missing was not forgotten.

    Raises:
        UnusableAnswer: there is none: it is a refusal, filtered, cut off, empty, not in the form or
            without an end.
    """
    _raise_unless_whole(reply)
    if reply.finish is not None:
        return read(reply.text, form)
    try:
        return read(reply.text, form, ended=False)
    except NotInForm:
        raise AnswerUnfinished(reply.text) from None


def _raise_unless_whole(reply: Reply) -> None:
    if reply.refusal:
        raise AnswerRefused
    if reply.finish == "content_filter":
        raise Filtered
    if reply.finish == "length":
        raise AnswerCut(reply.text)
    if not reply.text.strip():
        raise AnswerEmpty


def _elsewhere(reply: AgentResponse[Any], form: type[BaseModel]) -> str:
    """Return an answer that a server took for a tool's call or a thought; nothing without one."""
    for text in _texts_beside(reply):
        try:
            read(text, form)
        except NotInForm:
            continue
        return text
    return ""


def _texts_beside(reply: AgentResponse[Any]) -> Iterator[str]:
    contents = [each for message in reply.messages for each in message.contents]
    told = [each.arguments for each in contents if each.type == "function_call"]
    yield from (each for each in told if isinstance(each, str))
    yield "".join(each.text or "" for each in contents if each.type == "text_reasoning")


def _whole_characters(text: str) -> str:
    """Return a text whose surrogates, which pieces may cut in two, are characters again."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_refusal(message: Any) -> bool:
    return any(
        part.additional_properties.get("model_output_kind") == "refusal"
        for part in message.contents
    )


def _tokens(reply: AgentResponse[Any]) -> int:
    """Return the tokens that the provider reports for a call; 0 without a plausible number."""
    usage = cast("Mapping[str, object]", reply.usage_details or {})
    total, asked, told = (_count(usage.get(f"{each}_token_count")) for each in _USAGE)
    return total or asked + told


def _count(value: object) -> int:
    return int(value) if isinstance(value, (int, float)) and 0 < value < _MOST_TOKENS else 0
