"""The graph as an agent by the framework's own `as_agent`, used as its documentation shows."""

from __future__ import annotations

from typing import Any

import pytest
from agent_framework import Content, InMemoryCheckpointStorage, Message, WorkflowAgent

from countersign.graph.workflow import report_workflow
from countersign.reports.report_bodies import ReportDecisionBody

TOPIC = "How durable execution survives crashes"


@pytest.fixture
def agent(home: Any) -> Any:
    return report_workflow(home.app, home.rita).as_agent(name="Reports")


def question(reply: Any) -> Any:
    [call] = [
        content
        for message in reply.messages
        for content in message.contents
        if content.name == WorkflowAgent.REQUEST_INFO_FUNCTION_NAME
    ]
    return call


def asked_by(call: Any) -> dict[str, Any]:
    return WorkflowAgent.RequestInfoFunctionArgs.from_dict(call.arguments).request_event.data


def answered(call: Any, result: Any) -> Message:
    return Message("tool", [Content.from_function_result(call_id=call.call_id, result=result)])


async def decided(home: Any, asked: dict[str, Any], decision: Any = "approve") -> Any:
    body = ReportDecisionBody(decision=decision, digest=asked["digest"], comment="Noted.")
    return await home.engine().decide(home.victor, asked["operation_id"], asked["version"], body)


async def test_a_text_is_a_topic_and_the_question_has_the_text_of_the_report(
    home: Any, agent: Any
) -> None:
    assert agent.name == "Reports"
    call = question(await agent.run(TOPIC))
    asked = asked_by(call)
    assert asked["text"].startswith("#")
    assert {"digest", "version", "expires_at", "evidence_summary"} <= set(asked)
    await decided(home, asked)
    reply = await agent.run(answered(call, "decided"))
    assert reply.text == f"{asked['operation_id']} published"
    assert len(home.reports()) == 1


@pytest.mark.parametrize("result", ["approve", '{"decision": "approve"}', '{"sequence": 3}'])
async def test_an_answer_without_a_recorded_decision_is_asked_again(
    home: Any, agent: Any, result: str
) -> None:
    call = question(await agent.run(TOPIC))
    again = question(await agent.run(answered(call, result)))
    assert again.call_id != call.call_id
    assert asked_by(again)["digest"] == asked_by(call)["digest"]
    assert home.reports() == []


async def test_it_keeps_a_session_streams_and_takes_the_next_topic_when_one_has_ended(
    home: Any, agent: Any
) -> None:
    session = agent.create_session()
    updates = [update async for update in agent.run(TOPIC, session=session, stream=True)]
    [call] = [content for update in updates for content in update.contents]
    await decided(home, asked_by(call), "reject")
    async for _ in agent.run(
        answered(call, "decided"), session=agent.create_session(), stream=True
    ):
        pass
    second = asked_by(question(await agent.run("How checkpoints work")))
    assert second["title"] == "How checkpoints work"
    assert second["operation_id"] != asked_by(call)["operation_id"]


async def test_a_new_object_goes_on_from_a_checkpoint(home: Any, agent: Any) -> None:
    storage = InMemoryCheckpointStorage()
    call = question(await agent.run(TOPIC, checkpoint_storage=storage))
    await decided(home, asked_by(call))
    pause = await storage.get_latest(workflow_name="report")
    assert pause
    again = report_workflow(home.app, home.rita).as_agent(name="Reports")
    reply = await again.run(
        answered(call, "decided"), checkpoint_id=pause.checkpoint_id, checkpoint_storage=storage
    )
    assert reply.text.endswith(" published")


async def test_who_may_not_ask_and_what_is_no_topic_are_refused(home: Any) -> None:
    for person, topic, says in [
        (home.victor, TOPIC, "not_authorised: "),
        (home.rita, "", "malformed: topic"),
    ]:
        reply = await report_workflow(home.app, person).as_agent(name="Reports").run(topic)
        assert reply.text.startswith(says)


async def test_a_text_and_a_message_are_topics_for_the_bare_graph_too(home: Any) -> None:
    for given in (TOPIC, [Message("user", [TOPIC])]):
        result = await report_workflow(home.app, home.rita).run(given)
        [event] = result.get_request_info_events()
        assert event.data["text"].startswith("#")


async def test_messages_sessions_and_both_ways_to_run_are_taken_as_the_framework_documents_them(
    home: Any,
) -> None:
    agent = report_workflow(home.app, home.rita).as_agent(name="Reports")
    session = agent.create_session()
    response = await agent.run([Message("user", [TOPIC])], session=session)
    assert [message.author_name for message in response.messages] == ["approval_gate"]
    call = question(response)
    await decided(home, asked_by(call), "reject")
    answer = answered(call, "decided")
    # With the session of the topic, the framework takes what it has kept of that for an answer too.
    stream = agent.run([answer], session=agent.create_session(), stream=True)
    said = [update.text async for update in stream if update.text]
    assert "".join(said).startswith(f"{asked_by(call)['operation_id']} rejected")
