"""The wait for a person, as an executor: it asks, and believes nothing but the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_framework import Executor, WorkflowContext, handler, response_handler

from countersign.approvals.standing import version_after
from countersign.graph.messages import StepMessage, about, carried_out, ends, passed_on, version_of
from countersign.graph.question import question_about
from countersign.operations.proposing import open_version, settle_version
from countersign.steps.records import Stop

if TYPE_CHECKING:
    from countersign.services import Services


class ReportApprovalGate(Executor):
    """Opens a version and waits until the ledger has an outcome for it.

    Record first, ring second: whoever drives the graph records a decision through the rules and
    then answers with nothing but where in the ledger it is. So no token gets into a checkpoint, and
    an answer that the ledger doesn't back changes nothing: the question is put again.

    Args:
        app: the services.
        id: the executor's name in its graph.
    """

    def __init__(self, app: Services, id: str = "approval_gate") -> None:
        super().__init__(id=id)
        self._app = app

    @handler
    async def offer(
        self, message: StepMessage, ctx: WorkflowContext[StepMessage, StepMessage]
    ) -> None:
        """Open a version, and ask about it unless it was settled before."""
        if ends(message):
            await ctx.send_message(message)
            return
        await self._open(message, ctx)

    @response_handler(request=dict, response=object, output=dict, workflow_output=dict)
    async def hear(
        self,
        original_request: StepMessage,
        response: object,
        ctx: WorkflowContext[StepMessage, StepMessage],
    ) -> None:
        """Look into the ledger, whatever the answer is; ask again if nothing is settled there."""
        again = about(
            original_request,
            version=original_request["version"],
            attempt=original_request["attempt"] + 1,
        )
        del response  # it has no authority, and a token in it would be of no use here
        await self._go_on(again, ctx)

    async def _open(
        self, message: StepMessage, ctx: WorkflowContext[StepMessage, StepMessage]
    ) -> None:
        opened = carried_out(await open_version(self._app, version_of(message)))
        if isinstance(opened, Stop):
            await ctx.send_message(passed_on(message, opened))
        else:
            await self._go_on(about(message, version=opened.version, attempt=1), ctx)

    async def _go_on(
        self, message: StepMessage, ctx: WorkflowContext[StepMessage, StepMessage]
    ) -> None:
        settled = await settle_version(self._app, version_of(message))
        if settled.next == "wait":
            await self._ask(message, ctx)
            return
        coming = version_after(message["version"], settled.next)
        if settled.next == "escalate":
            # The same content, offered to another role: nobody has to write anything.
            await self._open(about(message, version=coming), ctx)
        else:
            version = coming or message["version"]
            await ctx.send_message(about(message, next=settled.next, version=version))

    async def _ask(
        self, message: StepMessage, ctx: WorkflowContext[StepMessage, StepMessage]
    ) -> None:
        operation = await self._app.operations.load(message["tenant"], message["operation_id"])
        if operation is None:
            return
        proposal = operation.proposals[message["version"] - 1]
        asked = await question_about(self._app, operation, proposal)
        asked = {**asked, "attempt": message["attempt"]}
        await ctx.request_info(asked, object, request_id=request_id(operation.id, asked))


def request_id(operation_id: str, asked: dict[str, Any]) -> str:
    """Return the id of a question: the same in every process, and another one for every attempt."""
    again = f"-{asked['attempt']}" if asked["attempt"] > 1 else ""
    return f"{operation_id}-v{asked['version']}{again}"
