"""Where a topic comes into the graph as a person types it, or as agents send it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_framework import Executor, WorkflowContext, handler
from agent_framework import Message as ChatMessage
from pydantic import ValidationError

from countersign.approvals.errors import NotAuthorised, Refusal
from countersign.approvals.person import Person
from countersign.commands.starting import new_operation_id, start_operation
from countersign.graph.messages import StepMessage, beginning
from countersign.graph.own_library import keep_library
from countersign.kinds.report import REPORT
from countersign.operations.allowances import AllowanceUsed
from countersign.operations.refusals import explain, malformed
from countersign.roles import RESEARCH_REQUESTER

if TYPE_CHECKING:
    from countersign.services import Services


class Intake(Executor):
    """Records a request in its requester's name, and sends on which operation it began.

    Args:
        app: the services.
        requester: who asks for the reports.
    """

    def __init__(self, app: Services, requester: Person) -> None:
        super().__init__(id="intake")
        self._app = app
        self._requester = requester

    @handler
    async def take(
        self, messages: list[ChatMessage], ctx: WorkflowContext[StepMessage, str]
    ) -> None:
        """Take the last text of a conversation for the topic."""
        texts = [message.text for message in messages if message.text.strip()]
        await self._begin(texts[-1] if texts else "", ctx)

    @handler
    async def take_text(self, topic: str, ctx: WorkflowContext[StepMessage, str]) -> None:
        """Take a topic."""
        await self._begin(topic, ctx)

    async def _begin(self, topic: str, ctx: WorkflowContext[StepMessage, str]) -> None:
        # Imported here because building its models takes longer than most steps.
        from countersign.reports.report_bodies import ReportRequestBody, ReportTermsBody

        if RESEARCH_REQUESTER not in self._requester.roles:
            await _refuse(NotAuthorised(needs=f"the role {RESEARCH_REQUESTER}"), ctx)
            return
        try:
            body = ReportRequestBody(topic=topic, approval=ReportTermsBody())
        except ValidationError as error:
            await _refuse(malformed(error), ctx)
            return
        tenant, operation_id = self._requester.tenant, new_operation_id(REPORT.name)
        await keep_library(self._app, tenant, operation_id)
        try:
            await start_operation(self._app, self._requester, operation_id, REPORT, body)
        except AllowanceUsed as error:
            await ctx.yield_output(f"{error.code}: {error}")
            return
        await ctx.send_message(beginning(tenant, operation_id))


async def _refuse(refusal: Refusal, ctx: WorkflowContext[StepMessage, str]) -> None:
    told = explain(refusal)
    await ctx.yield_output(f"{told.code}: {told.detail}")
