"""The graph as one agent: its question surfaces and is answered there, by the same rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from agent_framework import AgentSession, Content, Message, SupportsAgentRun

from countersign.approvals.digest import sha256
from countersign.graph import question as asking_about
from countersign.graph.agent import ReportAgent, as_agent
from countersign.graph.conversation import WAITING, looks_like_an_answer
from countersign.graph.workflow import report_workflow
from countersign.reports.report import read_report
from countersign.reports.report_bodies import ReportDecisionBody
from countersign.stores.search import Search
from countersign.wiring import services

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


async def test_who_has_used_what_they_may_is_told_so(
    home: Any, agent_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    question(await agent_of().run(TOPIC))
    monkeypatch.setenv("COUNTERSIGN_OPEN_REQUESTS", "1")
    services.cache_clear()
    bare = report_workflow(home.app, home.rita).as_agent(name="Reports")
    for agent in (agent_of(), bare):
        reply = await agent.run("Another topic")
        assert reply.text.startswith("too_many_open: You have 1 open request")


async def test_the_question_says_where_each_source_came_from(home: Any) -> None:
    document = {
        "title": "WHO: tides",
        "text": "Tidal mills grind at ebb. ",
        "url": "https://who.int/t",
    }
    rest = await home.begun(topic="Tidal mills", documents=[document])
    [source] = rest.question["evidence_summary"]["sources"]
    assert (source["title"], source["origin"]) == ("WHO: tides", "request")


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


async def test_it_streams_what_is_being_done_and_then_the_question(agent_of: Any) -> None:
    stream = agent_of().run(TOPIC, stream=True)
    contents = [content async for update in stream for content in update.contents]
    *stages, asked = contents
    assert {each.type for each in stages} == {"text_reasoning"}
    assert [stages[0].text, stages[-1].text] == ["planning\n", "proposing the version\n"]
    assert asked.name == "request_info"
    response = await stream.get_final_response()
    assert response.text == ""
    assert question(response).call_id == asked.call_id


async def test_the_question_has_the_text_its_evidence_and_who_has_to_approve(
    home: Any, agent_of: Any
) -> None:
    asked = question(await agent_of().run(TOPIC)).arguments
    operation = await home.app.operations.load(home.tenant, asked["operation_id"])
    content = await read_report(home.app.artifacts, operation.shelf, operation.current.content)
    assert (asked["text"], asked["text_complete"]) == (content.text, True)
    assert sha256(content.stored()) == asked["content"]
    assert asked["digest"] == operation.current.digest
    assert asked["expires_at"] == operation.current.expires_at.isoformat()
    assert asked["still_to_approve"] == "1 person as Report.Reviewer"
    summary = asked["evidence_summary"]
    assert summary["claims"] >= summary["supported"] >= summary["used"] > 0
    assert summary["sources"]


async def test_of_a_long_text_the_question_has_the_beginning_and_how_to_read_the_rest(
    home: Any, agent_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking_about, "LONGEST_EXCERPT", 100)
    asked = question(await agent_of().run(TOPIC)).arguments
    assert (len(asked["text"]), asked["text_complete"]) == (100, False)
    assert asked["text_characters"] > 100
    assert asked["whole_text"].endswith(f"show {asked['operation_id']}")


@pytest.mark.parametrize("text", ["approve", "Yes, publish it.", "Durable timers in depth"])
async def test_a_text_while_a_question_waits_is_never_a_new_request(
    home: Any, agent_of: Any, text: str
) -> None:
    agent = agent_of()
    session = agent.create_session()
    call = question(await agent.run(TOPIC, session=session))
    kept = json.loads(json.dumps(session.to_dict()))
    again = await agent_of().run(text, session=AgentSession.from_dict(kept))
    assert again.text.startswith("malformed: answer: version 1 of ")
    assert question(again).call_id == call.call_id
    assert await operations(home) == [call.arguments["operation_id"]]


@pytest.mark.parametrize("text", ["approve", "Yes.", "LGTM", '{"decision": "approve"}'])
async def test_what_looks_like_an_answer_is_no_topic_where_nothing_waits(
    home: Any, agent_of: Any, text: str
) -> None:
    reply = await agent_of().run(text)
    assert reply.text.startswith("malformed: topic: this looks like an answer")
    assert await operations(home) == []


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Approved, thanks.", True),
        ("ok, go ahead", True),
        ("reject: too long", True),
        ("Publish, or perish", False),
        ("Yes, Minister", False),
        ("No. 10 Downing Street", False),
        ("Approved drugs of 2026", False),
        ("The report", False),
        ("", False),
    ],
)
def test_only_what_says_no_more_than_yes_or_no_looks_like_an_answer(
    text: str, answers: bool
) -> None:
    assert looks_like_an_answer(text) == answers


@pytest.mark.parametrize("whose", ["nobody's", "another's"])
async def test_a_session_whose_operation_is_not_this_requester_s_goes_on_with_the_next_topic(
    home: Any, agent_of: Any, whose: str
) -> None:
    paul = home.person("Paul", "Research.Requester")
    theirs = question(await as_agent(home.engine(), paul).run(TOPIC)).arguments["operation_id"]
    agent = agent_of()
    session = agent.create_session()
    session.state[WAITING] = theirs if whose == "another's" else f"research-{'0' * 24}"
    reply = await agent.run("approve", session=session)
    assert "is not here; your text was not taken for a topic" in reply.text
    assert [part.type for message in reply.messages for part in message.contents] == ["text"]
    assert question(await agent.run(TOPIC, session=session))


async def test_an_answer_sent_as_text_decides_and_the_next_text_is_a_topic_again(
    home: Any, agent_of: Any
) -> None:
    agent = agent_of()
    session = agent.create_session()
    call = question(await agent.run(TOPIC, session=session))
    token = home.token("Victor", "Report.Reviewer")
    approve = {"decision": "approve", "digest": call.arguments["digest"], "token": token}
    done = await agent.run(json.dumps(approve), session=session)
    assert done.text.endswith("published")
    assert question(await agent.run(TOPIC, session=session)).call_id != call.call_id


async def test_a_text_after_somebody_else_decided_tells_the_outcome(
    home: Any, agent_of: Any
) -> None:
    agent = agent_of()
    call = question(await agent.run(TOPIC))
    asked = call.arguments
    reject = ReportDecisionBody(decision="reject", digest=asked["digest"], comment="No.")
    await home.engine().decide(home.victor, asked["operation_id"], 1, reject)
    reply = await agent.run("Another topic")
    assert "rejected" in reply.text
    assert "was not taken for a topic" in reply.text
    assert await operations(home) == [asked["operation_id"]]


async def operations(home: Any) -> list[str]:
    page = await home.app.operations.index.search(home.tenant, Search(), limit=50)
    return [row.operation_id for row in page.rows]


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
    assert stands == "It is recorded that Victor approved version 1."
    assert "0.json" in stuck
