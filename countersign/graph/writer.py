"""The writer: saves an approved version through a tool, whose approval is a question of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_framework import (
    AgentSession,
    Content,
    Executor,
    WorkflowContext,
    handler,
    response_handler,
)
from agent_framework import (
    Message as ChatMessage,
)

from countersign.graph.answers import approval_at, ring_in
from countersign.graph.errors import GraphStalled, way_on
from countersign.graph.messages import StepMessage, about, passed_on
from countersign.graph.saving import TOOL, Saving
from countersign.steps.records import Done, Stop

if TYPE_CHECKING:
    from countersign.services import Services

QUESTION = "save"


class Writer(Executor):
    """Has the report saved once its tool call is approved.

    The person approved a version; the framework asks whether this tool may be called with these
    arguments. The second question is answered by the same decision record, and only where it is
    about the digest that the arguments name.

    Args:
        app: the services.
        asks: whether the tool's question is put to whoever drives the graph; if not, it is answered
            at once, by the ledger.
    """

    def __init__(self, app: Services, *, asks: bool = True) -> None:
        super().__init__(id="writer")
        self._app = app
        self._asks = asks

    @handler
    async def save(self, message: StepMessage, ctx: WorkflowContext[StepMessage]) -> None:
        """Have the tool called, which asks first."""
        operation = await self._app.operations.trusted(message["tenant"], message["operation_id"])
        proposal = operation.proposal(message["version"]) if operation else None
        if operation is None or proposal is None:
            ending = Stop(ends_as="failed", reason="The approved version is not in the ledger.")
            await ctx.send_message(passed_on(message, ending))
            return
        about_it = about(message, version=proposal.version, digest=proposal.digest)
        if self._asks:
            await self._ask(about_it, 1, ctx)
            return
        backed = approval_at(operation, proposal.version, proposal.digest) is not None
        saved = await self._call(await self._question(about_it, 1), approved=backed)
        await ctx.send_message(passed_on(message, saved))

    @response_handler(request=dict, response=object, output=dict)
    async def hear(
        self, original_request: StepMessage, response: object, ctx: WorkflowContext[StepMessage]
    ) -> None:
        """Let the tool run if the ledger holds the approval of what it would save."""
        asked, heard = original_request, ring_in(response)
        operation = await self._app.operations.load(asked["tenant"], asked["operation_id"])
        backed = operation and approval_at(operation, asked["version"], asked["digest"])
        same_record = heard is not None and heard.sequence == backed
        if operation and not operation.withdrawn and not same_record:
            await self._ask(asked, asked["attempt"] + 1, ctx)
            return
        saved = await self._call(asked, approved=backed is not None)
        await ctx.send_message(passed_on(asked, saved))

    async def _ask(
        self, message: StepMessage, attempt: int, ctx: WorkflowContext[StepMessage]
    ) -> None:
        asked = await self._question(message, attempt)
        again = f"-{attempt}" if attempt > 1 else ""
        name = f"{message['operation_id']}-v{message['version']}-save{again}"
        await ctx.request_info(asked, object, request_id=name)

    async def _question(self, message: StepMessage, attempt: int) -> dict[str, Any]:
        arguments = {key: message[key] for key in ("operation_id", "version", "digest")}
        agent = Saving(self._app, message["tenant"]).agent(arguments)
        session = agent.create_session()
        reply = await agent.run("Save the approved report.", session=session)
        [call] = reply.user_input_requests
        return {
            "question": QUESTION,
            **about(message, **arguments),
            "tool": TOOL,
            "call": call.to_dict(),
            "session": session.to_dict(),
            "attempt": attempt,
        }

    async def _call(self, asked: dict[str, Any], *, approved: bool) -> Done | Stop:
        saving = Saving(self._app, asked["tenant"])
        arguments = {key: asked[key] for key in ("operation_id", "version", "digest")}
        call = Content.from_dict(asked["call"])
        answer = ChatMessage("user", [call.to_function_approval_response(approved)])
        session = AgentSession.from_dict(asked["session"])
        await saving.agent(arguments).run(answer, session=session)
        saved = saving.saved()
        if saved is None and approved:
            # The framework ignores an approval that doesn't fit its session, without a word.
            operation_id = asked["operation_id"]
            raise GraphStalled(
                f"the approved call of {TOOL} was not carried out; {way_on(operation_id)}"
            )
        return saved or Done()
