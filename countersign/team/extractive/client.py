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

from countersign.team.budget import TOOL_LOOP
from countersign.team.errors import ModelRefused
from countersign.team.extractive import consulting, conversation, judging, research, writing
from countersign.team.extractive.relevance import best_sentences
from countersign.team.models import Consultation, FactCheckResult, Findings, Plan, Report
from countersign.threads import RESEARCH

MODEL = "extractive"
LOOK_UP = "look_up_topic"
NOTHING = "What I was shown says nothing on this."

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

    It fills in the forms of this team, calls the tool `look_up_topic` first where it is offered
    one, and answers a plain question with the best sentences of what the conversation shows.
    Usage is counted in words.
    """

    def __init__(self) -> None:
        super().__init__(function_invocation_configuration=TOOL_LOOP)


async def _whole(messages: Sequence[Message], options: Mapping[str, Any]) -> ChatResponse[Any]:
    content = await RESEARCH.run(_reply, messages, options)
    return ChatResponse(
        messages=[Message(role="assistant", contents=[content])],
        model=MODEL,
        response_format=options.get("response_format"),
        usage_details=_usage(messages, content),
    )


async def _updates(
    messages: Sequence[Message], options: Mapping[str, Any]
) -> AsyncIterator[ChatResponseUpdate]:
    content = await RESEARCH.run(_reply, messages, options)
    yield ChatResponseUpdate(role="assistant", contents=[content], model=MODEL)
    usage = Content.from_usage(_usage(messages, content))
    yield ChatResponseUpdate(role="assistant", contents=[usage], model=MODEL)


def _usage(messages: Sequence[Message], content: Content) -> UsageDetails:
    read = conversation.word_count(messages)
    written = len(f"{content.text or ''} {content.arguments or ''}".split())
    return UsageDetails(
        input_token_count=read, output_token_count=written, total_token_count=read + written
    )


def _reply(messages: Sequence[Message], options: Mapping[str, Any]) -> Content:
    asked = conversation.question(messages)
    if _may_look_up(messages, options):
        query = _query(messages, asked)
        return Content.from_function_call(
            call_id="look-up-1", name=LOOK_UP, arguments={"query": query}
        )
    form = options.get("response_format")
    if form is None:
        return Content.from_text(_said(messages))
    return Content.from_text(_filled_in(form, asked, messages).model_dump_json())


def _query(messages: Sequence[Message], asked: Mapping[str, Any]) -> str:
    if question := asked.get("question"):
        return str(question)
    topic = str(asked.get("topic") or conversation.last_user_text(messages))
    return research.query(topic, str(asked.get("subtopic") or topic))


def _may_look_up(messages: Sequence[Message], options: Mapping[str, Any]) -> bool:
    offered = {getattr(tool, "name", None) for tool in options.get("tools") or ()}
    results = (part.type == "function_result" for each in messages for part in each.contents)
    return LOOK_UP in offered and options.get("tool_choice") != "none" and not any(results)


def _filled_in(form: object, asked: Mapping[str, Any], messages: Sequence[Message]) -> BaseModel:
    """Fill in one of the team's forms from the question that its agent puts."""
    fill_in: dict[type, Callable[[], BaseModel]] = {
        Plan: lambda: research.plan(asked["topic"], asked["titles"]),
        Findings: lambda: research.findings(
            asked["topic"], asked["subtopic"], conversation.shown_passages(messages)
        ),
        FactCheckResult: lambda: judging.fact_check(asked["claims"]),
        Consultation: lambda: consulting.consultation(
            asked["question"], asked["claims"], conversation.shown_passages(messages)
        ),
        Report: lambda: writing.report(
            asked["topic"], asked["claims"], asked.get("previous", ""), asked.get("comment", "")
        ),
    }
    if not isinstance(form, type) or form not in fill_in:
        raise ModelRefused("the embedded model can fill in the forms of this team only")
    try:
        return fill_in[form]()
    except KeyError as missing:
        raise ModelRefused(f"the embedded model needs {missing} in the question") from None


def _said(messages: Sequence[Message]) -> str:
    topic = conversation.last_user_text(messages)
    passages = conversation.shown_passages(messages) or conversation.said(messages)
    best = best_sentences(topic, topic, passages, most=_MOST_QUOTED, most_per_source=_MOST_QUOTED)
    return "\n".join(f"\u201c{sentence.text}\u201d" for sentence in best) or NOTHING
