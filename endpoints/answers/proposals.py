"""Versions of a proposal as the API shows them."""

from __future__ import annotations

from datetime import datetime

from countersign.approvals.events import Decision, DecisionRecorded, VersionOrigin
from countersign.approvals.operation import Operation, Proposal, Status
from countersign.approvals.person import Person
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.standing import asked_role, expiry
from endpoints.answers.may import May
from endpoints.answers.response_body import Moment, ResponseBody


class ProposalSummary(ResponseBody):
    """A version without its content.

    `last`: no other version can follow it, so sending it back ends the operation. `asked_role`: the
    role whose approval is needed next. `failure`: why it is the text of the version before, which a
    reviewer wanted changed.

    A version whose deadline has passed is shown as expired even before that is recorded, since
    no decision about it can count any more.
    """

    version: int
    last: bool
    digest: str
    status: Status
    origin: VersionOrigin
    failure: str | None
    opened_at: Moment
    expires_at: Moment
    required_role: str
    asked_role: str
    escalated_to: str | None
    amount: str | None
    may: May

    @classmethod
    def of(
        cls, operation: Operation, proposal: Proposal, person: Person, now: datetime
    ) -> ProposalSummary:
        """Return a version as it stands for somebody at a moment (UTC)."""
        return ProposalSummary(
            version=proposal.version,
            last=proposal.version == MAX_VERSIONS,
            digest=proposal.digest,
            status="expired" if expiry(operation, proposal, now) else proposal.status,
            origin=proposal.origin,
            failure=proposal.failure,
            opened_at=proposal.opened_at,
            expires_at=proposal.expires_at,
            required_role=proposal.required_role,
            asked_role=asked_role(proposal),
            escalated_to=proposal.escalated_to,
            amount=str(proposal.amount) if proposal.amount else None,
            may=May.of(operation, proposal, person, now),
        )


class RecordedDecision(ResponseBody):
    """What somebody decided about a version, with its sequence in the ledger."""

    sequence: int
    by: str
    at: Moment
    decision: Decision
    comment: str

    @classmethod
    def of(cls, sequence: int, event: DecisionRecorded) -> RecordedDecision:
        """Return a decision as it was recorded."""
        return cls(
            sequence=sequence,
            by=event.actor.name,
            at=event.at,
            decision=event.decision,
            comment=event.comment,
        )
