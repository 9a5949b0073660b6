"""The executor with which every operation ends, whatever it ends as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_framework import Executor, WorkflowContext, handler
from typing_extensions import Never

from countersign.graph.errors import GraphStalled, way_on
from countersign.graph.messages import StepMessage, about
from countersign.operations.proposing import close_operation
from countersign.steps.records import ClosingWork, read

if TYPE_CHECKING:
    from countersign.services import Services


class Closing(Executor):
    """Closes the operation and yields its outcome; the first ending and its reason stand."""

    def __init__(self, app: Services, id: str = "closing") -> None:
        super().__init__(id=id)
        self._app = app

    @handler
    async def close(
        self, message: StepMessage, ctx: WorkflowContext[Never, StepMessage | str]
    ) -> None:
        """Close with what the message says, or with what the ledger implies."""
        work = read(ClosingWork, message)
        try:
            closed = await close_operation(self._app, work)
        except RuntimeError as error:
            # The ledger is ahead of the message: what a checkpoint holds of it is of no more use.
            raise GraphStalled(f"{error}; {way_on(work.operation_id)}") from error
        await ctx.yield_output(self._told(about(message, outcome=closed.outcome)))

    def _told(self, ending: StepMessage) -> StepMessage | str:
        return ending


class ClosingInWords(Closing):
    """The same, where the outcome is read by people: as a sentence."""

    def _told(self, ending: StepMessage) -> str:
        return f"{ending['operation_id']} {ending['outcome']}"
