"""Servers take different parameters: what one refuses is left out, and not sent again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from countersign.team import researcher
from countersign.team.calls import Calls
from countersign.team.dialect import Dialect
from countersign.team.errors import NotInForm, RequestRefused
from countersign.team.models import Plan
from testbed.chat_provider import KEY, Provider

NewCalls = Callable[..., Calls]
DANCE = '{"subtopics": ["Dance"]}'

DEEPSEEK = {
    "error": {
        "message": "This response_format type is unavailable now",
        "type": "invalid_request_error",
        "code": "invalid_request_error",
    }
}
LM_STUDIO = {"error": "'response_format.type' must be 'json_schema' or 'text'"}
OPENAI = {
    "error": {
        "message": "Invalid parameter: 'response_format' of type 'json_schema' is not supported"
        " with this model.",
        "type": "invalid_request_error",
        "param": None,
        "code": None,
    }
}
VOLCENGINE = {
    "error": {
        "code": "InvalidParameter",
        "message": "The parameter `response_format.type` specified in the request are not valid:"
        " invalid value: `json_schema`, supported values are: `json_object` and `text`.",
        "param": "response_format.type",
    }
}
VLLM = {
    "object": "error",
    "message": "The provided JSON schema contains features not supported by xgrammar.",
    "type": "BadRequestError",
    "code": 400,
}
LLAMA_CPP = {
    "error": {"code": 400, "message": "failed to parse grammar", "type": "invalid_request"}
}


def mistral(*parameters: str) -> dict[str, Any]:
    """An answer that names each parameter, and repeats what it was sent."""
    told = "Extra inputs are not permitted"
    faults = [
        {"type": "extra_forbidden", "loc": ["body", each], "msg": told, "input": "response_format"}
        for each in parameters
    ]
    return {"detail": faults}


async def plan(calls: Calls) -> Plan:
    return await researcher.plan(calls, topic="Bees", titles=["Bees"])


def formats(provider: Provider) -> list[str | None]:
    """How each request asked for the form of the answer."""
    return [request.get("response_format", {}).get("type") for request in provider.requests]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, DEEPSEEK),
        (400, OPENAI),
        (400, VOLCENGINE),
        (400, VLLM),
        (400, LLAMA_CPP),
        (422, {"detail": "response_format.type `json_schema` is unavailable now"}),
        (500, {"error": {"message": "invalid JSON schema in format"}}),
    ],
    ids=["DeepSeek", "OpenAI", "Volcengine", "vLLM", "llama.cpp", "a text", "Ollama"],
)
async def test_a_server_without_schemas_is_asked_for_json_with_the_fields_in_the_question(
    provider: Provider, new_calls: NewCalls, status: int, body: Any, stream: bool
) -> None:
    provider.refuses_with(status, body)
    provider.says(DANCE)
    assert (await plan(new_calls(stream=stream, retries=0))).subtopics == ["Dance"]
    assert formats(provider) == ["json_schema", "json_object"]
    first, second = (request["messages"][-1]["content"] for request in provider.requests)
    assert second.startswith(first)
    assert second.endswith('Answer with one JSON object. Its fields are "subtopics".')


async def test_a_server_that_takes_neither_is_asked_without(
    provider: Provider, calls: Calls
) -> None:
    provider.refuses_with(400, DEEPSEEK)
    provider.refuses_with(400, LM_STUDIO)
    provider.says(f"Sure! Here it is: {DANCE}")
    assert (await plan(calls)).subtopics == ["Dance"]
    assert formats(provider) == ["json_schema", "json_object", None]


async def test_what_was_refused_once_is_not_sent_again_by_whoever_shares_the_model(
    provider: Provider, new_calls: NewCalls
) -> None:
    first = new_calls()
    provider.refuses_with(400, DEEPSEEK)
    for _ in range(2):
        provider.says(DANCE)
    await plan(first)
    await plan(new_calls(spoken=first.spoken))
    assert formats(provider) == ["json_schema", "json_object", "json_object"]


async def test_a_limit_by_a_name_that_is_not_known_is_sent_by_the_older_one(
    provider: Provider, calls: Calls
) -> None:
    provider.refuses_with(422, mistral("max_completion_tokens"))
    provider.says(DANCE)
    await plan(calls)
    limits = [
        {name: each[name] for name in ("max_completion_tokens", "max_tokens") if name in each}
        for each in provider.requests
    ]
    assert limits == [{"max_completion_tokens": 8_000}, {"max_tokens": 8_000}]
    assert formats(provider) == ["json_schema"] * 2


async def test_all_that_one_answer_refuses_is_left_out_at_once(
    provider: Provider, calls: Calls
) -> None:
    provider.refuses_with(422, mistral("max_completion_tokens", "stream_options"))
    provider.says(DANCE)
    await plan(calls)
    assert "max_tokens" in provider.requests[1]
    assert [bool(request.get("stream")) for request in provider.requests] == [True, False]


@pytest.mark.parametrize(
    "message",
    [
        "'max_completion_tokens' is too large: 8000. At most 4096 are possible.",
        f"Incorrect request {KEY}",
        "Unsupported parameter: 'temperature' is not supported with this model.",
    ],
)
async def test_another_refusal_is_told_and_changes_nothing(
    provider: Provider, calls: Calls, message: str
) -> None:
    provider.refuses_with(400, {"error": {"message": message}})
    with pytest.raises(RequestRefused) as caught:
        await plan(calls)
    assert calls.spoken.dialect == Dialect()
    assert KEY not in str(caught.value)


async def test_a_server_that_refuses_whatever_is_sent_is_left_alone(
    provider: Provider, calls: Calls
) -> None:
    for _ in range(3):
        provider.refuses_with(400, DEEPSEEK)
    with pytest.raises(RequestRefused):
        await plan(calls)


async def test_one_refusal_teaches_those_beside_it_no_more_than_one_thing(
    provider: Provider, calls: Calls
) -> None:
    sent = calls.spoken.dialect
    provider.refuses_with(400, DEEPSEEK)
    provider.says(DANCE)
    await plan(calls)
    learned = calls.spoken.dialect
    assert calls.spoken.learned(sent, None)
    assert calls.spoken.dialect == learned


async def test_without_a_schema_too_only_the_form_is_an_answer(
    provider: Provider, calls: Calls
) -> None:
    provider.refuses_with(400, DEEPSEEK)
    for _ in range(3):
        provider.says('{"parts": "all"}')
    with pytest.raises(NotInForm):
        await plan(calls)
