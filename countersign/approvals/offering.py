"""When the next version may be offered, and what its approval takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from countersign.approvals.errors import Invalid, Refusal
from countersign.approvals.events import DecisionRecorded, ProposalOpened, VersionOrigin
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.money import Money
from countersign.approvals.operation import Operation
from countersign.approvals.person import SYSTEM
from countersign.approvals.policy import Tier
from countersign.approvals.quorum import missing_role
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import ended, next_step


@dataclass(frozen=True, kw_only=True, slots=True)
class Open:
    """A content, stored under a reference, to be offered as this version.

    Attributes:
        evidence: the reference of what it can be checked against, if there is such a thing.
        evidence_count: what that comes to, as far as it is known.
        amount: what it costs, if it costs something.
        title: what the operation is called with this content; None if that stays as it was.
        widens: whether, if it is a correction, it goes beyond the version before: then somebody
            other than the corrector has to approve it too.
    """

    version: int
    digest: str
    content: str
    evidence: str | None
    amount: Money | None = None
    title: str | None = None
    widens: bool = True
    evidence_count: EvidenceCount | None = None


def open_proposal(operation: Operation, command: Open, now: datetime) -> Ruling:
    """Offer the next version; its deadline is fixed here and never moves."""
    if operation.proposal(command.version):
        return ()
    if refusal := ended(operation) or _not_next(operation, command):
        return refusal
    required_role, asked_before = _asked(operation)
    tier = _tier(operation, command, required_role)
    return (
        ProposalOpened(
            at=now,
            actor=SYSTEM,
            version=command.version,
            digest=command.digest,
            content=command.content,
            evidence=command.evidence,
            origin=_origin(operation),
            expires_at=operation.policy.deadline(now),
            required_role=required_role,
            quorum=tier.quorum,
            countersigner_role=tier.countersigner_role,
            correctors=_correctors(operation, command),
            amount=command.amount,
            title=command.title,
            asked_before=asked_before,
            kept=_kept(operation, required_role, asked_before),
            evidence_count=command.evidence_count,
        ),
    )


def _not_next(operation: Operation, command: Open) -> Refusal | None:
    before = operation.current
    if command.version != len(operation.proposals) + 1:
        return Invalid(fields={"version": f"{command.version} is not the next version"})
    if before is None:
        return None
    if next_step(operation, before.version) not in {"revise", "escalate"}:
        return Invalid(fields={"version": f"version {before.version} is {before.status}"})
    repeated = before.status == "expired" or operation.unrevised
    kept = before.content if repeated else before.correction
    if kept is not None and command.content != kept:
        return Invalid(fields={"content": "not the content that this version must have"})
    return None


def _origin(operation: Operation) -> VersionOrigin:
    before = operation.current
    if before is None:
        return "draft"
    if before.status == "expired":
        return "escalation"
    if operation.unrevised:
        return "unchanged"
    return "correction" if before.correction is not None else "revision"


def _asked(operation: Operation) -> tuple[str, str | None]:
    """Return the role that is asked first, and the one whose people may approve as before."""
    before = operation.current
    if before is None:
        return operation.policy.reviewer_role, None
    if before.escalated_to is None:
        return before.required_role, before.asked_before
    adds = operation.policy.edition >= 2
    return before.escalated_to, before.required_role if adds else None


def _tier(operation: Operation, command: Open, required_role: str) -> Tier:
    policy = operation.policy
    tier = policy.tier(_amount(operation, command))
    return tier if policy.edition >= 2 else tier.asked_of(required_role)


def _amount(operation: Operation, command: Open) -> Decimal | None:
    """Return the amount that says how many people a version takes; None if it costs nothing.

    Whoever may approve less could else make an order smaller first, and approve it alone.
    """
    before = operation.proposals if operation.policy.by_largest else ()
    amounts = (command.amount, *(each.amount for each in before))
    return max((each.amount for each in amounts if each), default=None)


def _correctors(operation: Operation, command: Open) -> tuple[str, ...]:
    """Return who can't approve alone because the content was changed as they wanted."""
    before = operation.current
    if before is None:
        return ()
    origin = _origin(operation)
    dictated = origin == "revision" and operation.policy.edition >= 2
    if not dictated and not (origin == "correction" and command.widens):
        return before.correctors
    # The team follows what anybody said about passages, not only what the last one said.
    said = before.added if origin == "revision" else ()
    wanted = {event.actor.id for event in (*said, before.decisions[-1][1])}
    return tuple(sorted({*before.correctors, *wanted}))


def _kept(operation: Operation, required_role: str, asked_before: str | None) -> tuple[int, ...]:
    """Which approvals of an expired version count for the escalated one, by their sequence.

    They never suffice: what the added role makes possible takes somebody who approves it.
    """
    before = operation.current
    if before is None or before.status != "expired" or asked_before is None:
        return ()
    escalated = replace(before, required_role=required_role, asked_before=asked_before)
    kept: dict[int, DecisionRecorded] = {}
    for sequence, event in filter(lambda entry: before.counts(entry[1]), before.standing):
        seen = {**kept, sequence: event}
        approvals = {each.actor.id: each.roles for each in seen.values()}
        kept = seen if missing_role(escalated, approvals) else kept
    return tuple(kept)
