"""The answers to a decision about a version, and what follows from a correction."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from countersign.approvals.events import ApprovalTakenBack, Decision, DecisionRecorded
from countersign.approvals.operation import Operation
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.proposal import Proposal, Status
from countersign.kinds.registry import read_content
from countersign.services import Services
from countersign.stores.artifacts import Artifacts
from endpoints.answers.approvals import Approvals, names_of
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


class CorrectionView(ResponseBody):
    """In what a reviewer's correction goes beyond the version that it corrects, and what follows.

    `rule`: who can't be the only one to approve the corrected version, null if anybody can.
    """

    widened: list[str]
    rule: str | None


async def correction_view(
    artifacts: Artifacts, operation: Operation, proposal: Proposal, decision: DecisionRecorded
) -> CorrectionView:
    """Return what a recorded correction goes beyond the corrected version in, and what follows."""
    old = await read_content(artifacts, operation, proposal.content)
    new = await read_content(artifacts, operation, decision.correction or "")
    widened = list(new.widening(old))
    return CorrectionView(widened=widened, rule=rule_for(operation, proposal, decision, widened))


def rule_for(
    operation: Operation, proposal: Proposal, decision: DecisionRecorded, widened: Sequence[str]
) -> str | None:
    """Return who can't be the only approver of a corrected version, as a sentence, or None.

    Args:
        operation: the state after the correction.
        proposal: the version that is corrected.
        decision: the correction.
        widened: in what it goes beyond the version.
    """
    correctors = {*proposal.correctors, *([decision.actor.id] if widened else [])}
    if not correctors or proposal.version == MAX_VERSIONS:
        return None
    names = " or ".join(names_of(operation, tuple(sorted(correctors))))
    return f"{names} can't be the only one to approve the corrected version."
