"""Agents and a workflow of the Agent Framework, with a model that follows a script."""

import asyncio
import os
from collections.abc import AsyncIterable, Awaitable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import azure.functions as func
from agent_framework import (
    Agent,
    AgentExecutor,
    AgentExecutorResponse,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    Executor,
    FunctionInvocationLayer,
    Message,
    Workflow,
    WorkflowBuilder,
    WorkflowContext,
    handler,
    response_handler,
)
from agent_framework.observability import ChatTelemetryLayer
from agent_framework_azurefunctions import AgentFunctionApp
from typing_extensions import Never

# The SDK's own types say less than its objects can do.
Context = Any
Steps = Generator[Any, Any, Any]

marks = Path(os.environ["MARKS"])


async def reply(messages: Sequence[Message]) -> str:
    """Say what was said; if that was to wait, only once the test allows it."""
    said = messages[-1].text
    with (marks / "model").open("a") as file:
        file.write("x")
    if said.startswith("wait"):
        (marks / said.replace(" ", "-")).touch()
        while not (marks / "answer.go").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.02)
    return f"{len(messages)}: {said}"


async def contents(messages: Sequence[Message]) -> list[Content]:
    return [Content.from_text(await reply(messages))]


class _Scripted(BaseChatClient):
    OTEL_PROVIDER_NAME = "scripted"

    def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **_: Any
    ) -> Any:
        async def whole() -> ChatResponse:
            said = Message(role="assistant", contents=await contents(messages))
            return ChatResponse(messages=[said])

        async def updates() -> AsyncIterable[ChatResponseUpdate]:
            yield ChatResponseUpdate(role="assistant", contents=await contents(messages))

        answer: Awaitable[ChatResponse] = whole()
        return self._build_response_stream(updates()) if stream else answer


class ScriptedChatClient(
    FunctionInvocationLayer, ChatMiddlewareLayer, ChatTelemetryLayer, _Scripted
):
    """A chat client without a model."""


class Gate(Executor):
    """Asks a person about what the agent wrote."""

    @handler
    async def ask(self, draft: AgentExecutorResponse, ctx: WorkflowContext) -> None:
        text = draft.agent_response.text
        await ctx.request_info({"draft": text}, object, request_id="review-1")

    @response_handler(request=dict, response=object, workflow_output=dict)
    async def answer(
        self, original_request: Any, response: Any, ctx: WorkflowContext[Never, Any]
    ) -> None:
        await ctx.yield_output({**original_request, "verdict": response["verdict"]})


def review() -> Workflow:
    """Return a workflow in which an agent writes and a person decides."""
    writer = AgentExecutor(Agent(client=ScriptedChatClient(), name="Writer"), id="writer")
    gate = Gate(id="gate")
    return WorkflowBuilder(name="review", start_executor=writer).add_edge(writer, gate).build()


app = AgentFunctionApp(
    agents=[Agent(client=ScriptedChatClient(), name="Parrot")],
    workflow=review(),
    http_auth_level=func.AuthLevel.ANONYMOUS,
    poll_interval_seconds=0.05,
    max_poll_retries=400,
)


@app.orchestration_trigger(context_name="context")
def dialogue(context: Context) -> Steps:
    parrot = app.get_agent(context, "Parrot")
    session = parrot.create_session()
    said = []
    for text in context.get_input():
        answer = yield parrot.run(text, session=session)
        said.append(answer.text)
    return said
