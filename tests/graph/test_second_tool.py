"""A tool beside publishing asks for an approval of its own, which reaches a person."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from agent_framework import (
    Agent,
    AgentExecutor,
    BaseChatClient,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    FunctionTool,
    Message,
    WorkflowAgent,
    WorkflowBuilder,
    WorkflowExecutor,
    tool,
)

from countersign.graph.workflow import report_workflow
from countersign.reports.report_bodies import ReportDecisionBody

TOPIC = "How durable execution survives crashes"


class _Announcing(BaseChatClient):
    """A model that wants every message announced, and repeats what came of it."""

    OTEL_PROVIDER_NAME = "test"

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **_: Any) -> Any:
        contents = self._contents(messages)
        return self._build_response_stream(_updates(contents)) if stream else _whole(contents)

    def _contents(self, messages: list[Message]) -> list[Content]:
        parts = [part for message in messages for part in message.contents]
        results = [part.result for part in parts if part.type == "function_result"]
        if results:
            return [Content.from_text(str(results[-1]))]
        arguments = {"text": messages[-1].text}
        return [Content.from_function_call(call_id="a1", name="announce", arguments=arguments)]


class Announcing(FunctionInvocationLayer, _Announcing):
    """The same with the framework's tool loop around it."""


async def _whole(contents: list[Content]) -> ChatResponse[Any]:
    return ChatResponse(messages=[Message(role="assistant", contents=contents)])


async def _updates(contents: list[Content]) -> AsyncIterator[ChatResponseUpdate]:
    yield ChatResponseUpdate(role="assistant", contents=contents)


def announcer(announced: list[str]) -> Agent[Any]:
    @tool(approval_mode="always_require")
    def announce(text: str) -> str:
        """Tell everybody."""
        announced.append(text)
        return f"announced: {text}"

    assert isinstance(announce, FunctionTool)
    return Agent(client=Announcing(), name="Announcer", tools=[announce])


def contents(reply: Any) -> list[Content]:
    return [content for message in reply.messages for content in message.contents]


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_second_tool_runs_only_after_a_person_approved_its_own_call(
    home: Any, allowed: bool
) -> None:
    announced: list[str] = []
    report = WorkflowExecutor(
        report_workflow(home.app, home.rita), id="report", propagate_request=True
    )
    announcing = AgentExecutor(announcer(announced), id="announcer")
    workflow = WorkflowBuilder(start_executor=report).add_edge(report, announcing).build()
    agent = workflow.as_agent(name="Reports that are announced")

    [asked] = contents(await agent.run(TOPIC))
    question = WorkflowAgent.RequestInfoFunctionArgs.from_dict(asked.arguments).request_event.data  # pyright: ignore[reportArgumentType]
    body = ReportDecisionBody(decision="approve", digest=question["digest"])
    await home.engine().decide(home.victor, question["operation_id"], 1, body)
    answer = Content.from_function_result(call_id=asked.call_id or "", result="decided")
    second = contents(await agent.run([Message("tool", [answer])]))
    assert len(home.reports()) == 1
    assert announced == []

    [request] = [content for content in second if content.user_input_request]
    assert request.type == "function_approval_request"
    response = request.to_function_approval_response(allowed)
    await agent.run([Message("user", [response])])
    assert announced == ([f"{question['operation_id']} published"] if allowed else [])
