"""The executor with which every operation ends, whatever it ends as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_framework import Executor, WorkflowContext, handler
from typing_extensions import Never

from countersign.approvals.operation import Operation
from countersign.graph.errors import Stalled, way_on
from countersign.graph.messages import Message, about
from countersign.operations import proposing

if TYPE_CHECKING:
    from countersign.services import Services


class Closing(Executor):
    """Closes the operation and yields its outcome; the first ending and its reason stand."""

    def __init__(self, app: Services, id: str = "closing") -> None:
        super().__init__(id=id)
        self._app = app

    @handler
    async def close(self, order: Message, ctx: WorkflowContext[Never, Message]) -> None:
        """Close with what the message says, or with what the ledger implies."""
        closed = await self._closed(order)
        assert closed.closed is not None  # noqa: S101 - that is what it was for
        await ctx.yield_output(
            about(order, outcome=closed.closed.outcome, reason=closed.closed.reason)
        )

    async def _closed(self, order: Message) -> Operation:
        tenant, operation_id = order["tenant"], order["operation_id"]
        outcome, reason = order.get("ends_as"), order.get("reason", "")
        try:
            return await proposing.close(self._app, tenant, operation_id, outcome, reason)
        except RuntimeError as error:
            # The ledger is ahead of the message: what a checkpoint holds of it is of no more use.
            raise Stalled(f"{error}; {way_on(operation_id)}") from error
