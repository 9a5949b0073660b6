"""The tool that saves an approved report, and the agent whose one call it is.

The call needs no judgement, so no model is paid for it: a client of our own makes it, and all that
an agent's call goes through, the framework's approval of the tool included, is the same.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    FunctionTool,
    Message,
    tool,
)

from countersign.graph.messages import carried_out
from countersign.operations.writing import write_approved
from countersign.steps.records import Stop, VersionWork, Written, to_json

if TYPE_CHECKING:
    from countersign.services import Services

TOOL = "write_report_file"


class Saving:
    """One approved version being saved by an agent's tool call."""

    def __init__(self, app: Services, tenant: str) -> None:
        self._app = app
        self._tenant = tenant
        self._saved: Written | Stop | None = None
        self._fault: Exception | None = None

    def saved(self) -> Written | Stop | None:
        """Return the result of the tool; None if it did not run.

        Raises:
            Exception: what kept the tool from saving, as `write_approved` raised it.
        """
        if self._fault:
            raise self._fault
        return self._saved

    def agent(self, arguments: Mapping[str, Any]) -> Agent[Any]:
        """Return the agent that asks to call the tool with these arguments."""
        return Agent(client=OneCall(arguments), name="Writer", tools=[self._tool()])

    def _tool(self) -> FunctionTool:
        @tool(name=TOOL, approval_mode="always_require")
        async def write_report_file(operation_id: str, version: int, digest: str) -> str:
            """Save the approved version with this digest as the report of its operation."""
            try:
                self._saved = await self._save(operation_id, version, digest)
            except Exception as error:  # the agent would take it for an answer, and go on
                self._fault = error
                raise
            return json.dumps(to_json(self._saved))

        return write_report_file

    async def _save(self, operation_id: str, version: int, digest: str) -> Written | Stop:
        operation = await self._app.operations.trusted(self._tenant, operation_id)
        proposal = operation.proposal(version) if operation else None
        if proposal is None or proposal.digest != digest:
            reason = "The tool was called for an unapproved version."
            return Stop(ends_as="failed", reason=reason)
        work = VersionWork(tenant=self._tenant, operation_id=operation_id, version=version)
        return carried_out(await write_approved(self._app, work))


class _OneCall(BaseChatClient):
    """Answers with one call of the tool, and once that has a result, with the result."""

    OTEL_PROVIDER_NAME = "countersign"

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        super().__init__()
        self._arguments = dict(arguments)

    def _inner_get_response(
        self, *, messages: Any, stream: bool, options: Any, **kwargs: Any
    ) -> Any:
        del options, kwargs
        contents = self._contents(messages)
        if stream:
            return self._build_response_stream(_updates(contents))
        return _whole(contents)

    def _contents(self, messages: list[Message]) -> list[Content]:
        parts = [part for message in messages for part in message.contents]
        results = [part.result for part in parts if part.type == "function_result"]
        if results:
            return [Content.from_text(str(results[-1]))]
        call_id = f"{self._arguments['operation_id']}-v{self._arguments['version']}-save"
        call = Content.from_function_call(call_id=call_id, name=TOOL, arguments=self._arguments)
        return [call]


class OneCall(FunctionInvocationLayer, _OneCall):
    """The client with the framework's tool loop around it.

    Args:
        arguments: what the tool is called with.
    """

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        super().__init__(arguments=arguments)


async def _whole(contents: list[Content]) -> ChatResponse[Any]:
    return ChatResponse(messages=[Message(role="assistant", contents=contents)])


async def _updates(contents: list[Content]) -> AsyncIterator[ChatResponseUpdate]:
    yield ChatResponseUpdate(role="assistant", contents=contents)
