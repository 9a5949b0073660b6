"""The graph as one agent: its question surfaces and is answered there, by the same rules."""

from __future__ import annotations

import json
from pathlib import Path
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


@pytest.mark.parametrize("given", [5, b"abc", {"a": 1}, ["a topic", 5]], ids=repr)
async def test_what_is_no_text_and_no_message_is_refused(agent_of: Any, given: Any) -> None:
    reply = await agent_of().run(given)
    assert reply.text.startswith("malformed: messages: expected a text or messages, not ")


async def test_without_a_valid_token_nothing_of_anothers_request_is_shown(home: Any) -> None:
    theirs = question(await as_agent(home.engine(), home.rita).run(TOPIC))
    paul = home.person("Paul", "Research.Requester")
    before = await home.history(theirs.arguments["operation_id"])
    for answer in ({}, {"decision": "approve", "digest": "0" * 64, "token": "nonsense"}):
        reply = await as_agent(home.engine(), paul).run(answered(theirs, **answer))
        [content] = [part for message in reply.messages for part in message.contents]
        assert content.type == "text"
    assert await home.history(theirs.arguments["operation_id"]) == before


async def test_what_keeps_an_answer_from_counting_is_told(home: Any, agent_of: Any) -> None:
    call = question(await agent_of().run(TOPIC))
    (home.data / "devhost" / "keys.json").unlink()
    approve = {"decision": "approve", "digest": call.arguments["digest"]}
    token = home.token("Victor", "Report.Reviewer")
    reply = await agent_of().run(answered(call, token=token, **approve))
    assert reply.text.startswith("stuck: the sign-in service's keys are unavailable")


async def test_a_recorded_answer_stands_where_the_graph_cant_go_on(
    home: Any, agent_of: Any
) -> None:
    call = question(await agent_of().run(TOPIC))
    files: list[Path] = home.files(call.arguments["operation_id"])
    files[0].with_name("0.json").write_text("{}")
    approve = {"decision": "approve", "digest": call.arguments["digest"]}
    token = home.token("Victor", "Report.Reviewer")
    reply = await agent_of().run(answered(call, token=token, **approve))
    stands, stuck = [part.text for message in reply.messages for part in message.contents]
    assert stands == "approve of version 1 is recorded and remains valid."
    assert "0.json" in stuck
