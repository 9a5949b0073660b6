"""What is answered to a decision about a version."""

from __future__ import annotations

from pydantic import Field

from countersign.approvals.events import ApprovalTakenBack, Decision, DecisionRecorded
from countersign.approvals.operation import Operation
from countersign.approvals.proposal import Proposal, Status
from countersign.services import Services
from endpoints.answers.approvals import Approvals
from endpoints.answers.correction import CorrectionView, correction_view
from endpoints.answers.response_body import Moment, ResponseBody, is_none
from endpoints.runtime import EventDelivery


class DecisionReceipt(ResponseBody):
    """That a decision stands in the ledger; the same decision again gets the same receipt."""

    operation_id: str
    version: int
    decision: Decision
    by: str
    at: Moment
    sequence: int


class Decided(ResponseBody):
    """How a version stands after a decision.

    `delivery` is `pending` where what waits for the decision could not be told yet; it will be.
    `correction` is there where the decision carried one.
    """

    receipt: DecisionReceipt
    delivery: EventDelivery
    status: Status
    approvals: Approvals
    correction: CorrectionView | None = Field(default=None, exclude_if=is_none)

    @classmethod
    async def of(
        cls,
        app: Services,
        operation: Operation,
        proposal: Proposal,
        recorded: tuple[int, DecisionRecorded],
        delivery: EventDelivery,
    ) -> Decided:
        """Return how a version stands after a decision that was recorded with this sequence."""
        sequence, event = recorded
        correction = None
        if event.correction:
            correction = await correction_view(app.artifacts, operation, proposal, event)
        return cls(
            receipt=DecisionReceipt(
                operation_id=operation.id,
                version=proposal.version,
                decision=event.decision,
                by=event.actor.name,
                at=event.at,
                sequence=sequence,
            ),
            delivery=delivery,
            status=proposal.status,
            approvals=Approvals.of(operation, proposal),
            correction=correction,
        )


class TakenBack(ResponseBody):
    """How a version stands after somebody took their approval back; `approval` is its sequence."""

    operation_id: str
    version: int
    approval: int
    by: str
    at: Moment
    delivery: EventDelivery
    status: Status
    approvals: Approvals

    @classmethod
    def of(
        cls,
        operation: Operation,
        proposal: Proposal,
        event: ApprovalTakenBack,
        delivery: EventDelivery,
    ) -> TakenBack:
        """Return how a version stands after this was recorded."""
        return cls(
            operation_id=operation.id,
            version=proposal.version,
            approval=event.approval,
            by=event.actor.name,
            at=event.at,
            delivery=delivery,
            status=proposal.status,
            approvals=Approvals.of(operation, proposal),
        )
