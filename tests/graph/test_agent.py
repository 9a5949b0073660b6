"""The graph as one agent: its question surfaces and is answered there, by the same rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agent_framework import Content, Message, SupportsAgentRun

from countersign.graph.agent import ReportAgent, as_agent

TOPIC = "How durable execution survives crashes"


@pytest.fixture
def agent_of(home: Any) -> Any:
    def make() -> ReportAgent:
        return as_agent(home.engine(), home.rita)

    return make


def question(reply: Any) -> Any:
    [call] = [part for message in reply.messages for part in message.contents if part.call_id]
    assert call.name == "request_info"
    return call


def answered(call: Any, **answer: Any) -> Message:
    result = Content.from_function_result(call_id=call.call_id, result=json.dumps(answer))
    return Message("tool", [result])


async def test_the_question_is_answered_by_a_new_agent_and_published(
    home: Any, agent_of: Any
) -> None:
    assert isinstance(agent_of(), SupportsAgentRun)
    call = question(await agent_of().run(TOPIC))
    assert call.arguments["version"] == 1
    token = home.token("Victor", "Report.Reviewer")
    said = await agent_of().run(
        answered(call, decision="approve", digest=call.arguments["digest"], token=token)
    )
    assert said.text.endswith("published")
    assert len(home.reports()) == 1
    kept = [file.read_bytes() for file in home.data.rglob("*") if file.is_file()]
    assert not [data for data in kept if token.encode() in data]


async def test_a_revision_surfaces_the_next_question(home: Any, agent_of: Any) -> None:
    call = question(await agent_of().run(TOPIC))
    token = home.token("Victor", "Report.Reviewer")
    revise = {"decision": "revise", "comment": "Shorter.", "digest": call.arguments["digest"]}
    second = question(await agent_of().run(answered(call, token=token, **revise)))
    assert second.arguments["version"] == 2
    assert second.arguments["digest"] != call.arguments["digest"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"token": ("Rita", "Report.Reviewer", "Research.Requester")}, "own_request"),
        ({"token": ("Nobody",)}, "not_authorised"),
        ({"token": "nonsense"}, "unauthenticated"),
        ({"decision": "yes"}, "malformed"),
        ({"approved": True}, "malformed"),
        ({"digest": "0" * 64}, "digest_mismatch"),
    ],
)
async def test_an_answer_that_does_not_count_is_told_why_and_asked_again(
    home: Any, agent_of: Any, change: dict[str, Any], says: str
) -> None:
    call = question(await agent_of().run(TOPIC))
    operation_id = call.arguments["operation_id"]
    who = change.get("token", ("Victor", "Report.Reviewer"))
    token = who if isinstance(who, str) else home.token(*who)
    answer = {"decision": "approve", "digest": call.arguments["digest"], **change, "token": token}
    reply = await agent_of().run(answered(call, **answer))
    assert reply.messages[0].text.startswith(says)
    assert question(reply).call_id == call.call_id
    assert not [name for name, _ in await home.history(operation_id) if name == "DecisionRecorded"]


async def test_a_result_for_no_question_is_refused(agent_of: Any) -> None:
    stray = Content.from_function_result(call_id="other", result="{}")
    reply = await agent_of().run([Message("tool", [stray])])
    assert reply.text.startswith("malformed")


async def test_an_answer_about_an_unknown_operation_is_told_so(home: Any, agent_of: Any) -> None:
    stray = Content.from_function_call(call_id=f"research-{'0' * 24}-v1", name="request_info")
    token = home.token("Victor", "Report.Reviewer")
    reply = await agent_of().run(answered(stray, decision="approve", digest="0" * 64, token=token))
    assert reply.text.startswith("not_found")


async def test_it_streams(agent_of: Any) -> None:
    stream = agent_of().run(TOPIC, stream=True)
    updates = [update async for update in stream]
    assert updates[0].contents[0].name == "request_info"
