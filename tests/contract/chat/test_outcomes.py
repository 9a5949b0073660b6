"""Every way in which a call can end has its own outcome, and none tells the provider's words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from countersign.sources.documents import DocumentLibrary
from countersign.sources.in_threads import InThreads
from countersign.team import researcher
from countersign.team.calls import Calls
from countersign.team.errors import (
    AccessRefused,
    AnswerCut,
    AnswerEmpty,
    AnswerRefused,
    BudgetSpent,
    Busy,
    ContextTooSmall,
    Filtered,
    ModelUnavailable,
    NeedsOperator,
    NotAModel,
    NotInForm,
    ProviderFailed,
    QuotaSpent,
    RequestRefused,
    TeamError,
    TooSlow,
    UnknownModel,
    Unreachable,
    UnusableAnswer,
)
from countersign.team.models import Plan
from testbed.chat_provider import KEY

NewCalls = Callable[..., Calls]
DANCE = '{"subtopics": ["Dance"]}'


async def plan(calls: Calls) -> Plan:
    return await researcher.plan(calls, topic="Bees", titles=["Bees"])


@pytest.mark.parametrize(
    ("status", "error", "fault", "kind"),
    [
        (400, {"code": "context_length_exceeded"}, ContextTooSmall, NeedsOperator),  # OpenAI
        (400, {"type": "exceed_context_size_error"}, ContextTooSmall, NeedsOperator),  # llama.cpp
        (400, {"code": "content_filter"}, Filtered, UnusableAnswer),  # Azure
        (400, {"code": "unsupported_parameter"}, RequestRefused, NeedsOperator),  # another API
        (401, {"code": "invalid_api_key"}, AccessRefused, NeedsOperator),  # an expired key
        (402, {}, QuotaSpent, NeedsOperator),  # no credit
        (403, {}, AccessRefused, NeedsOperator),  # a key without access
        (404, {"code": "DeploymentNotFound"}, UnknownModel, NeedsOperator),  # Azure
        (404, {"code": "model_not_found"}, UnknownModel, NeedsOperator),  # OpenAI
        (413, {}, ContextTooSmall, NeedsOperator),  # a proxy's limit
        (422, {}, RequestRefused, NeedsOperator),  # a field that isn't known there
        (429, {"code": "insufficient_quota"}, QuotaSpent, NeedsOperator),  # the month's money
        (429, {"code": "rate_limit_exceeded"}, Busy, ModelUnavailable),  # the minute's tokens
        (500, {}, ProviderFailed, ModelUnavailable),  # a fault of the provider's
        (503, {}, ProviderFailed, ModelUnavailable),  # overloaded
    ],
)
async def test_an_error_says_who_has_to_act(
    provider: Any,
    new_calls: NewCalls,
    status: int,
    error: dict[str, Any],
    fault: type[TeamError],
    kind: type[TeamError],
) -> None:
    provider.fails(status, **error)
    with pytest.raises(kind) as caught:
        await plan(new_calls(retries=0))
    assert type(caught.value) is fault
    assert f"HTTP status {status}" in str(caught.value)
    assert caught.value.code == (error.get("code") or error.get("type") or "error")
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
        "'max_tokens' is too large: 8000. This model's maximum context length is 4096 tokens.",
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "The number of tokens to keep is greater than the context length.",
        "Prompt is too long: 9000 tokens > 4096 maximum",
    ],
)
async def test_a_context_that_is_too_small_is_known_without_a_code(
    provider: Any, new_calls: NewCalls, message: str
) -> None:
    body = {"object": "error", "message": message, "type": "BadRequestError", "code": 400}
    provider.refuses_with(400, body)
    with pytest.raises(ContextTooSmall) as caught:
        await plan(new_calls(retries=0))
    assert message not in str(caught.value)


async def test_what_a_server_repeats_of_the_request_says_nothing_of_the_context(
    provider: Any, new_calls: NewCalls
) -> None:
    said = {"type": "bad", "loc": ["body", "seed"], "msg": "wrong", "input": "The context length"}
    provider.refuses_with(422, {"detail": [said]})
    with pytest.raises(RequestRefused):
        await plan(new_calls(retries=0))


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": "10", "completion_tokens": "x", "total_tokens": None},
        {"prompt_tokens": -(10**6), "completion_tokens": 0, "total_tokens": -(10**6)},
        {"prompt_tokens": 1.5, "completion_tokens": 10.0, "total_tokens": 10**400},
        {"prompt_tokens": [1], "completion_tokens": {}, "total_tokens": True},
    ],
)
async def test_a_usage_that_cannot_be_ends_nothing_and_is_estimated(
    provider: Any, new_calls: NewCalls, usage: dict[str, Any], stream: bool
) -> None:
    provider.says(DANCE, **usage)
    calls = new_calls(stream=stream)
    assert (await plan(calls)).subtopics == ["Dance"]
    assert 0 < await calls.budget.account.spent() < 100_000


@pytest.mark.parametrize(
    "code",
    [
        "The key sk-very-secret-key is wrong",  # a sentence
        "k" * 61,  # too long to be a name
        {"nested": "thing"},  # no text
        "a\nb",  # two lines
    ],
)
async def test_a_code_that_is_no_short_name_is_not_told(
    provider: Any, new_calls: NewCalls, code: Any
) -> None:
    provider.fails(401, code=code, type="sk very secret")
    with pytest.raises(AccessRefused) as caught:
        await plan(new_calls(retries=0))
    assert caught.value.code is None


async def test_a_short_outage_is_bridged(provider: Any, calls: Calls) -> None:
    provider.fails(500)
    provider.says(DANCE)
    assert (await plan(calls)).subtopics == ["Dance"]


@pytest.mark.parametrize("stream", [True, False])
async def test_a_model_that_is_too_slow_is_left_in_time_and_costs_an_estimate(
    provider: Any, new_calls: NewCalls, stream: bool
) -> None:
    provider.hangs()
    calls = new_calls(request_seconds=0.3, stream=stream)
    with pytest.raises(TooSlow, match="COUNTERSIGN_MODEL_SECONDS"):
        await asyncio.wait_for(plan(calls), timeout=10)
    assert await calls.budget.account.spent() > 0
    assert len(provider.requests) == 1


async def test_nobody_listening_is_an_outage(new_calls: NewCalls) -> None:
    with pytest.raises(Unreachable):
        await plan(new_calls(base_url="http://127.0.0.1:9/v1", retries=0))


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "body",
    [
        b"<html>a proxy's page</html>",  # no JSON
        b'{"detail": "not here"}',  # JSON of another kind
        b"",  # nothing
    ],
)
async def test_what_is_no_model_is_told_from_a_model_that_answers_badly(
    provider: Any, new_calls: NewCalls, body: bytes, stream: bool
) -> None:
    for _ in range(1 + stream):
        provider.sends(body)
    with pytest.raises(NotAModel):
        await plan(new_calls(retries=0, stream=stream))


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("text", "finish", "fault"),
    [
        ('{"subtopics": ["Dan', "length", AnswerCut),  # the answer's limit is reached
        (DANCE, "length", AnswerCut),  # although it looks whole
        ("", "content_filter", Filtered),  # filtered on its way
        ('{"subtopics": ["Da', "content_filter", Filtered),  # filtered in the middle
        ("", "stop", AnswerEmpty),  # nothing, as after a long thought
        (None, "stop", AnswerEmpty),  # not even a text
        ("Bees are best left alone.", "stop", NotInForm),  # prose
    ],
)
async def test_an_answer_that_cannot_be_used_says_why(
    provider: Any,
    new_calls: NewCalls,
    text: str | None,
    finish: str,
    fault: type[TeamError],
    stream: bool,
) -> None:
    for _ in range(1 if fault is Filtered else 3):
        provider.says(text, finish)
    with pytest.raises(UnusableAnswer) as caught:
        await plan(new_calls(stream=stream))
    assert type(caught.value) is fault


@pytest.mark.parametrize("stream", [True, False])
async def test_a_refusal_is_no_answer_and_is_not_asked_for_again(
    provider: Any, new_calls: NewCalls, stream: bool
) -> None:
    provider.refuses()
    with pytest.raises(AnswerRefused):
        await plan(new_calls(stream=stream))


async def test_a_second_try_is_told_what_was_wrong(provider: Any, calls: Calls) -> None:
    provider.says('{"subtopics": []}')
    provider.says(DANCE)
    assert (await plan(calls)).subtopics == ["Dance"]
    first, second = (request["messages"][-1]["content"] for request in provider.requests)
    assert second.startswith(first)
    assert "subtopics: value error, has to hold at least one" in second


async def test_an_answer_that_was_cut_is_asked_for_more_briefly(
    provider: Any, calls: Calls
) -> None:
    provider.says('{"subtopics": ["Dan', "length")
    provider.says(DANCE)
    await plan(calls)
    assert "too long" in provider.requests[1]["messages"][-1]["content"]


async def test_no_two_tries_are_alike(provider: Any, calls: Calls) -> None:
    for _ in range(3):
        provider.says("")
    with pytest.raises(AnswerEmpty):
        await plan(calls)
    assert len({json.dumps(request) for request in provider.requests}) == 3


@pytest.mark.parametrize("stream", [True, False])
async def test_every_call_is_counted(provider: Any, new_calls: NewCalls, stream: bool) -> None:
    calls = new_calls(stream=stream)
    provider.says("What?")
    provider.says(DANCE)
    await plan(calls)
    assert await calls.budget.account.spent() == 240


async def test_a_provider_that_counts_nothing_is_estimated(provider: Any, calls: Calls) -> None:
    provider.says(DANCE, total_tokens=0, prompt_tokens=0, completion_tokens=0)
    await plan(calls)
    assert await calls.budget.account.spent() > len(DANCE) // 4


async def test_a_spent_budget_stops_before_the_call(provider: Any, new_calls: NewCalls) -> None:
    with pytest.raises(BudgetSpent, match="100 tokens have been used; the limit is 100"):
        await plan(new_calls(limit=100, used=100))
    assert provider.requests == []


async def test_a_budget_spent_by_a_bad_answer_allows_no_second_try(
    provider: Any, new_calls: NewCalls
) -> None:
    provider.says("What?")
    with pytest.raises(BudgetSpent, match="120 tokens have been used; the limit is 120"):
        await plan(new_calls(limit=120))


async def test_a_connection_that_breaks_on_the_way_is_an_outage_and_costs_what_came(
    provider: Any, new_calls: NewCalls
) -> None:
    provider.breaks_off('{"subtopics": ["A long dance", "A long flight"')
    calls = new_calls(retries=0)
    with pytest.raises(Unreachable):
        await plan(calls)
    assert await calls.budget.account.spent() > 0


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        (None, ProviderFailed),  # no more than that it failed
        ("server_error", ProviderFailed),  # a code that says no more
        ("content_filter", Filtered),  # what has come was filtered
        ("context_length_exceeded", ContextTooSmall),  # the answer has no room any more
    ],
)
async def test_an_error_told_in_the_stream_is_told_apart_too(
    provider: Any, new_calls: NewCalls, code: str | None, fault: type[TeamError]
) -> None:
    provider.fails_on_the_way('{"subtopics": ["A dance"', code=code)
    with pytest.raises(fault) as caught:
        await plan(new_calls(retries=0))
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("stream", [True, False])
async def test_a_call_of_a_tool_that_nobody_offered_is_no_answer(
    provider: Any, new_calls: NewCalls, stream: bool
) -> None:
    provider.calls("search_the_web", query="bees")
    provider.says(DANCE)
    assert (await plan(new_calls(stream=stream))).subtopics == ["Dance"]


async def test_an_answer_is_told_of_while_it_comes(provider: Any, new_calls: NewCalls) -> None:
    seen: list[int] = []

    async def told(tokens: int) -> None:
        seen.append(tokens)

    provider.says(DANCE)
    await plan(new_calls(told=told))
    assert seen[0] == 0


async def test_a_provider_that_may_not_stream_is_asked_without(provider: Any, calls: Calls) -> None:
    provider.fails(400, code="unsupported_value", param="stream")
    provider.says(DANCE)
    assert (await plan(calls)).subtopics == ["Dance"]
    assert [bool(request.get("stream")) for request in provider.requests] == [True, False]


async def test_characters_that_pieces_cut_in_two_are_whole_again(
    provider: Any, calls: Calls
) -> None:
    provider.says('{"subtopics": ["' + "\U0001f41d" * 9 + '"]}')
    assert (await plan(calls)).subtopics == ["\U0001f41d" * 9]


FINDING = '{"claim": "Bees dance.", "quote": "Honey bees dance.", "source": "doc-1"}'
BEES = DocumentLibrary([{"title": "Bees", "text": "Honey bees dance. They fly."}])


async def research(calls: Calls) -> list[str]:
    """The claims that come of a round of research."""
    found = await researcher.research(
        calls, topic="Bees", subtopic="Dance of bees", library=InThreads(BEES)
    )
    return [each.claim for each in found.findings]


@pytest.mark.parametrize(
    "text",
    [
        f'{{"findings": [{FINDING}, {{"claim": "Bees fl',  # in the middle of a claim
        f'{{"findings": [{FINDING}, {{"claim": "Bees fly.", "quote": "They fly."}}, ',  # after it
        f'{{"findings": [{FINDING}], "look_up": ["bees", "bees", "bees", "be',  # in a repetition
        f'Here it is:\n```json\n{{"findings": [{FINDING},\n',  # after what no JSON is
    ],
)
async def test_findings_that_are_whole_are_taken_from_an_answer_that_was_cut(
    provider: Any, calls: Calls, text: str
) -> None:
    provider.says(text, "length")
    assert await research(calls) == ["Bees dance."]


@pytest.mark.parametrize(
    "text",
    [
        '{"findings": [{"claim": "Bees',
        f'<think>Shall I say {{"findings": [{FINDING}, ',  # what is thought is not said
        "Bees",
        "",
    ],
)
async def test_an_answer_that_was_cut_before_anything_is_asked_for_again(
    provider: Any, calls: Calls, text: str
) -> None:
    provider.says(text, "length")
    provider.says(f'{{"findings": [{FINDING}]}}')
    assert await research(calls) == ["Bees dance."]
    assert "say less" in provider.requests[1]["messages"][-1]["content"]


async def test_a_search_repeated_for_ever_is_looked_up_once_at_most(
    provider: Any, calls: Calls
) -> None:
    for _ in range(3):
        provider.says('{"findings": [], "look_up": ["dances", "dances", "dances", "dan', "length")
    assert await research(calls) == []
    assert len(provider.requests) == 3
