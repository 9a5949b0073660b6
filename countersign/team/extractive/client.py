"""A chat client whose model is this package: no key, no network, no weights."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar

from agent_framework import (
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
    UsageDetails,
)
from agent_framework.observability import ChatTelemetryLayer
from pydantic import BaseModel

from countersign.platform.threads import RESEARCH
from countersign.team.errors import RequestRefused
from countersign.team.extractive import (
    consulting,
    judging,
    research,
    revision,
    writing,
)
from countersign.team.extractive.relevance import best_sentences
from countersign.team.models import (
    Consultation,
    FactCheckResult,
    Plan,
    Proof,
    Report,
    Research,
    Wanted,
)
from countersign.team.questions import Shown, read
from countersign.team.wish import PassageRemark, Wish

MODEL = "extractive"
NOTHING = "What I was shown says nothing on this."

_SAID = "what was said"
_MOST_QUOTED = 3


class _Extractive(BaseChatClient[Any]):
    OTEL_PROVIDER_NAME: ClassVar[str] = "countersign"

    def __init__(self, **layers: Any) -> None:
        super().__init__(**layers)
        self.model = MODEL

    # A plain function, for the framework takes the awaitable or the stream itself.
    def _inner_get_response(
        self,
        *,
        messages: Sequence[Message],
        stream: bool,
        options: Mapping[str, Any],
        **kwargs: Any,
    ) -> Awaitable[ChatResponse[Any]] | ResponseStream[ChatResponseUpdate, ChatResponse[Any]]:
        form = options.get("response_format")
        if stream:
            return self._build_response_stream(_updates(messages, options), response_format=form)
        return _whole(messages, options)


class ExtractiveChatClient(
    FunctionInvocationLayer[Any], ChatMiddlewareLayer[Any], ChatTelemetryLayer[Any], _Extractive
):
    """The embedded model behind the framework's own chat client interface.

    It fills in the forms of this team, and answers a plain question with the best sentences of what
    the conversation says. Usage is counted in words.
    """


async def _whole(messages: Sequence[Message], options: Mapping[str, Any]) -> ChatResponse[Any]:
    content = await RESEARCH.run(_reply, messages, options)
    return ChatResponse(
        messages=[Message(role="assistant", contents=[content])],
        model=MODEL,
        finish_reason="stop",
        response_format=options.get("response_format"),
        usage_details=_usage(messages, content),
    )


async def _updates(
    messages: Sequence[Message], options: Mapping[str, Any]
) -> AsyncIterator[ChatResponseUpdate]:
    content = await RESEARCH.run(_reply, messages, options)
    yield ChatResponseUpdate(role="assistant", contents=[content], model=MODEL)
    usage = Content.from_usage(_usage(messages, content))
    yield ChatResponseUpdate(role="assistant", contents=[usage], model=MODEL, finish_reason="stop")


def _usage(messages: Sequence[Message], content: Content) -> UsageDetails:
    read = _word_count(messages)
    written = len((content.text or "").split())
    return UsageDetails(
        input_token_count=read, output_token_count=written, total_token_count=read + written
    )


def _reply(messages: Sequence[Message], options: Mapping[str, Any]) -> Content:
    form = options.get("response_format")
    if form is None:
        return Content.from_text(_said(messages))
    asked, passages = _question(messages)
    return Content.from_text(_filled_in(form, asked, passages).model_dump_json())


def _filled_in(form: object, asked: Mapping[str, Any], passages: Sequence[Shown]) -> BaseModel:
    """Fill in one of the team's forms from the question that its agent puts."""
    fill_in: dict[type, Callable[[], BaseModel]] = {
        Plan: lambda: research.plan(asked["topic"], asked["titles"]),
        Research: lambda: research.findings(asked["topic"], asked["subtopic"], passages),
        FactCheckResult: lambda: judging.fact_check(asked["claims"], asked.get("proved", ())),
        Consultation: lambda: consulting.consultation(asked["question"], asked["claims"], passages),
        Wanted: lambda: revision.wanted(asked["claims"], asked["comment"]),
        Proof: lambda: judging.proof(asked["lines"], asked["claims"]),
        Report: lambda: writing.report(asked["topic"], asked["claims"], _wish(asked)),
    }
    if not isinstance(form, type) or form not in fill_in:
        raise RequestRefused("the embedded model can fill in the forms of this team only")
    try:
        return fill_in[form]()
    except KeyError as missing:
        raise RequestRefused(f"the embedded model needs {missing} in the question") from None


def _wish(asked: Mapping[str, Any]) -> Wish | None:
    if "previous" not in asked:
        return None
    remarks = [
        PassageRemark(passage=each["passage"], comment=each["comment"], instead=each["instead"])
        for each in asked.get("remarks", ())
    ]
    return Wish(previous=asked["previous"], comment=asked["comment"], remarks=remarks)


def _said(messages: Sequence[Message]) -> str:
    topic, passages = _last_user_text(messages), _as_passages(messages)
    best = best_sentences(topic, topic, passages, most=_MOST_QUOTED, most_per_source=_MOST_QUOTED)
    return "\n".join(f"\u201c{sentence.text}\u201d" for sentence in best) or NOTHING


def _question(messages: Sequence[Message]) -> tuple[Mapping[str, Any], list[Shown]]:
    """Return what the user asks, an empty object if that is no question, and what is shown."""
    return read(_last_user_text(messages))


def _last_user_text(messages: Sequence[Message]) -> str:
    """Return what the user said last."""
    texts = [message.text for message in messages if message.role == "user"]
    return texts[-1] if texts else ""


def _as_passages(messages: Sequence[Message]) -> list[Shown]:
    """Return the texts of the conversation itself as passages."""
    return [
        Shown(source=_SAID, title="", text=message.text) for message in messages if message.text
    ]


def _word_count(messages: Sequence[Message]) -> int:
    """Return the number of words in a conversation."""
    return sum(len(message.text.split()) for message in messages)
