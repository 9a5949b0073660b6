"""Answers and errors are found where servers put them, and an answer without an end is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from countersign.team import researcher
from countersign.team.calls import Calls
from countersign.team.errors import (
    AccessRefused,
    AnswerEmpty,
    AnswerUnfinished,
    Busy,
    Filtered,
    ProviderFailed,
    QuotaSpent,
    TeamError,
    UnusableAnswer,
)
from countersign.team.models import Plan
from testbed.chat_provider import KEY

NewCalls = Callable[..., Calls]
DANCE = '{"subtopics": ["Dance"]}'

both_ways = pytest.mark.parametrize("stream", [True, False])


async def plan(calls: Calls) -> Plan:
    return await researcher.plan(calls, topic="Bees", titles=["Bees"])


@both_ways
@pytest.mark.parametrize(
    ("error", "fault"),
    [
        ({"code": 429, "message": "Rate limit exceeded"}, Busy),  # OpenRouter
        ({"code": "429", "message": "Slow down"}, Busy),
        ({"code": 402, "message": "Insufficient credits"}, QuotaSpent),
        ({"code": 401, "message": "No cookie auth"}, AccessRefused),
        ({"code": 502, "message": "Provider returned error"}, ProviderFailed),
        ({"code": "content_filter", "message": "Filtered"}, Filtered),
        ({"message": "Something"}, ProviderFailed),
        ("Something went wrong", ProviderFailed),
    ],
)
async def test_an_error_with_status_200_is_the_error_that_it_names(
    provider: Any, new_calls: NewCalls, error: Any, fault: type[TeamError], stream: bool
) -> None:
    provider.refuses_with(200, {"error": error, "user_id": "someone"})
    with pytest.raises(fault) as caught:
        await plan(new_calls(retries=0, stream=stream))
    assert type(caught.value) is fault
    assert "message" not in str(caught.value)


async def test_an_error_with_status_200_is_tried_again_at_once_like_others(
    provider: Any, calls: Calls
) -> None:
    provider.refuses_with(200, {"error": {"code": 503, "message": "Overloaded"}})
    provider.says(DANCE)
    assert (await plan(calls)).subtopics == ["Dance"]


@pytest.mark.parametrize(("code", "fault"), [(429, Busy), (402, QuotaSpent), (502, ProviderFailed)])
async def test_a_status_told_in_the_stream_counts_like_one_before_it(
    provider: Any, new_calls: NewCalls, code: int, fault: type[TeamError]
) -> None:
    provider.fails_on_the_way('{"subtopics": ["A dance"', code=code)
    with pytest.raises(fault) as caught:
        await plan(new_calls(retries=0))
    assert type(caught.value) is fault
    assert KEY not in str(caught.value)


def called(arguments: str) -> list[dict[str, Any]]:
    function = {"name": "answer", "arguments": arguments}
    return [{"index": 0, "id": "call-1", "type": "function", "function": function}]


PLACES: list[dict[str, Any]] = [
    {"tool_calls": called(DANCE)},  # llama.cpp, vLLM: the JSON is taken for the call of a tool
    {"reasoning_content": f"I think so. {DANCE}"},  # vLLM, SGLang, LM Studio
    {"reasoning": DANCE},  # OpenRouter, Ollama
]


@both_ways
@pytest.mark.parametrize("message", PLACES)
async def test_an_answer_beside_the_text_is_an_answer(
    provider: Any, new_calls: NewCalls, message: dict[str, Any], stream: bool
) -> None:
    provider.answers(**message)
    assert (await plan(new_calls(stream=stream))).subtopics == ["Dance"]
    assert len(provider.requests) == 1


@both_ways
@pytest.mark.parametrize("message", PLACES)
async def test_what_stands_beside_an_answer_does_not_count(
    provider: Any, new_calls: NewCalls, message: dict[str, Any], stream: bool
) -> None:
    provider.answers(**{**message, "content": '{"subtopics": ["Flight"]}'})
    assert (await plan(new_calls(stream=stream))).subtopics == ["Flight"]


@both_ways
async def test_a_thought_without_an_answer_is_an_empty_answer(
    provider: Any, new_calls: NewCalls, stream: bool
) -> None:
    for _ in range(3):
        provider.answers(reasoning_content="Shall I say dance, or flight?")
    with pytest.raises(AnswerEmpty):
        await plan(new_calls(stream=stream))


@both_ways
async def test_an_answer_that_is_whole_needs_no_word_on_its_end(
    provider: Any, new_calls: NewCalls, stream: bool
) -> None:
    provider.answers(finish=None, content=DANCE)
    assert (await plan(new_calls(stream=stream))).subtopics == ["Dance"]


@both_ways
@pytest.mark.parametrize("text", ['{"subtopics": ["Dance"', '{"subtopics": "Dance"', "Bees"])
async def test_an_answer_that_just_stops_is_asked_for_again(
    provider: Any, new_calls: NewCalls, text: str, stream: bool
) -> None:
    for _ in range(3):
        provider.answers(finish=None, content=text)
    with pytest.raises(UnusableAnswer) as caught:
        await plan(new_calls(stream=stream))
    assert type(caught.value) is AnswerUnfinished
    assert AnswerUnfinished.advice in json.dumps(provider.requests[1])
