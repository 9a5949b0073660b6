"""Versions of a proposal as the API shows them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from countersign.approvals.events import Decision, DecisionRecorded, VersionOrigin
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.proposal import Proposal, Status
from countersign.approvals.standing import awaited_roles, expiry
from endpoints.answers.may import May
from endpoints.answers.response_body import Moment, ResponseBody


class ProposalSummary(ResponseBody):
    """A version without its content.

    `last`: no other version can follow it, so sending it back ends the operation. `asked_role`: the
    first of the `awaited_roles`, in any of which the next approval is needed. `asked_before`: the
    role that was asked before an escalation, whose people may still approve. `failure`: why it is
    the text of the version before, which a reviewer wanted changed.

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
    awaited_roles: list[str]
    asked_before: str | None
    escalated_to: str | None
    amount: str | None
    may: May

    @classmethod
    def of(
        cls, operation: Operation, proposal: Proposal, person: Person, now: datetime
    ) -> ProposalSummary:
        """Return a version as it stands for somebody at a moment (UTC)."""
        awaited = awaited_roles(proposal)
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
            asked_role=awaited[0],
            awaited_roles=list(awaited),
            asked_before=proposal.asked_before,
            escalated_to=proposal.escalated_to,
            amount=str(proposal.amount) if proposal.amount else None,
            may=May.of(operation, proposal, person, now),
        )


class RecordedDecision(ResponseBody):
    """What somebody decided about a version, with its sequence in the ledger.

    `version`: an approval of an expired version counts for the escalated one, too.
    `taken_back_at`: when its approver took it back; null of what stands.
    """

    sequence: int
    version: int
    by: str
    at: Moment
    decision: Decision
    comment: str
    taken_back_at: Moment | None

    @classmethod
    def of(
        cls, proposal: Proposal, sequence: int, event: DecisionRecorded, names: Mapping[str, str]
    ) -> RecordedDecision:
        """Return a decision about a version as recorded, with what people are called by id."""
        taken_back = proposal.taken_back.get(sequence)
        return cls(
            sequence=sequence,
            version=event.version,
            by=names[event.actor.id],
            at=event.at,
            decision=event.decision,
            comment=event.comment,
            taken_back_at=taken_back.at if taken_back else None,
        )
