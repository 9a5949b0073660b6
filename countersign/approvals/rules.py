"""What is legal: every command as a pure function of state and time to events or a refusal.

An empty tuple of events means that the command was carried out before and stands. All times are
aware and UTC; `now` is the moment at which the command is recorded.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TypeAlias

from countersign.approvals.errors import (
    DigestMismatch,
    Invalid,
    NotAuthorised,
    NotFound,
    OwnRequest,
    PeopleOnly,
    Refusal,
)
from countersign.approvals.events import (
    Decision,
    DecisionRecorded,
    Event,
    ModelCalled,
    OperationClosed,
    OperationWithdrawn,
    Outcome,
    ProposalApproved,
    ProposalExpired,
    ProposalOpened,
    ProposalRejected,
    ProposalSuperseded,
    ReminderDue,
    VersionOrigin,
    WorkDone,
    WorkPlanned,
)
from countersign.approvals.money import Money
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import SYSTEM, Person
from countersign.approvals.quorum import missing_role
from countersign.approvals.standing import (
    REASONS,
    already,
    decided_for_good,
    ended,
    expiry,
    implied_outcome,
    may_end_as,
    next_step,
    too_late,
)

Events: TypeAlias = tuple[Event, ...]
Ruling: TypeAlias = Events | Refusal


@dataclass(frozen=True, kw_only=True, slots=True)
class Decide:
    """A reviewer's decision about one version; `correction` refers to a whole new content."""

    reviewer: Person
    version: int
    digest: str
    decision: Decision
    comment: str = ""
    correction: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Open:
    """A content, stored under a reference, to be offered as this version.

    Attributes:
        evidence: the reference of what it can be checked against, if there is such a thing.
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


def plan_work(operation: Operation, subtopics: tuple[str, ...], now: datetime) -> Ruling:
    """Record how the work is cut up; the first plan stands."""
    if operation.subtopics is not None:
        return ()
    return ended(operation) or (WorkPlanned(at=now, actor=SYSTEM, subtopics=subtopics),)


def record_work(operation: Operation, step: str, result: str, now: datetime) -> Ruling:
    """Record where a step's result is stored; the first result of a step stands."""
    if step in operation.work:
        return ()
    return ended(operation) or (WorkDone(at=now, actor=SYSTEM, step=step, result=result),)


def record_call(
    operation: Operation, step: str, tokens: int, now: datetime, prompt: str | None = None
) -> Ruling:
    """Record what a model call cost; it was paid for even if nobody wants its answer any more."""
    if operation.closed:
        return ()
    return (ModelCalled(at=now, actor=SYSTEM, step=step, tokens=tokens, prompt=prompt),)


def open_proposal(operation: Operation, command: Open, now: datetime) -> Ruling:
    """Offer the next version; its deadline is fixed here and never moves."""
    if operation.proposal(command.version):
        return ()
    if refusal := ended(operation) or _not_next(operation, command):
        return refusal
    before = operation.current
    required_role = _required_role(operation, before)
    tier = operation.policy.tier(_amount(operation, command)).asked_of(required_role)
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
        ),
    )


def decide(operation: Operation, command: Decide, now: datetime) -> Ruling:
    """Record a reviewer's decision, or say why it can't count."""
    proposal = operation.proposal(command.version)
    if proposal is None or command.reviewer.tenant != operation.tenant:
        return NotFound()
    if refusal := _may_not_decide(operation, proposal, command.reviewer):
        return refusal
    mine = proposal.decided_by(command.reviewer.id)
    if mine and _is_same(mine[1], command):
        return ()
    return (
        too_late(operation, proposal, now)
        or _misdirected(operation, proposal, command)
        or (already(mine[1]) if mine else None)
        or _decided(proposal, command, now)
    )


def settle(operation: Operation, version: int, now: datetime) -> Ruling:
    """Record what the passing of time alone has made true: reminders due, or the expiry."""
    proposal = operation.proposal(version)
    if proposal is None:
        return NotFound()
    if proposal.status != "pending" or operation.closed:
        return ()
    if late := expiry(operation, proposal, now):
        escalated_to = late.escalated_to
        return (ProposalExpired(at=now, actor=SYSTEM, version=version, escalated_to=escalated_to),)
    due = operation.policy.reminder_times(proposal.expires_at)
    return tuple(
        ReminderDue(at=now, actor=SYSTEM, version=version, percent=percent)
        for percent, moment in due.items()
        if moment <= now and percent not in proposal.reminded
    )


def withdraw(operation: Operation, person: Person, reason: str, now: datetime) -> Ruling:
    """Take the request back; only its requester can, and only before the write is reserved."""
    if person.tenant != operation.tenant:
        return NotFound()
    if person.id != operation.requester.id:
        return NotAuthorised(needs="that you are the requester of this operation")
    if operation.withdrawn:
        return ()
    return (
        ended(operation)
        or decided_for_good(operation, now)
        or (OperationWithdrawn(at=now, actor=person.actor, reason=reason),)
    )


def close(
    operation: Operation,
    outcome: Outcome | None,
    reason: str,
    now: datetime,
    *,
    written: Outcome,
) -> Ruling:
    """End the operation with the outcome that its state implies, else with the wanted one.

    Args:
        operation: the state.
        outcome: what to end with where the state leaves it open; None to take what it implies.
        reason: a sentence for people.
        now: the moment (UTC).
        written: as what operations of its kind end once the write is confirmed.
    """
    if operation.closed:
        return ()
    ends_as = implied_outcome(operation, written) or outcome
    if ends_as is None or not may_end_as(operation, ends_as, written):
        return Invalid(fields={"outcome": f"an operation in this state can't end as {ends_as}"})
    said = operation.stopped.reason if operation.stopped else reason
    why = said or REASONS.get(ends_as, "")
    return (OperationClosed(at=now, actor=SYSTEM, outcome=ends_as, reason=why),)


def _may_not_decide(operation: Operation, proposal: Proposal, person: Person) -> Refusal | None:
    if person.program:
        return PeopleOnly()
    if person.roles.isdisjoint(proposal.asked_roles):
        return NotAuthorised(needs=f"the role {' or '.join(proposal.asked_roles)}")
    return OwnRequest() if person.id == operation.requester.id else None


def _is_same(recorded: DecisionRecorded, command: Decide) -> bool:
    if (recorded.decision, recorded.digest) != (command.decision, command.digest):
        return False
    # What a reviewer asks to be changed is the decision: another wish is not the same again.
    same_wish = command.decision != "revise" or recorded.comment == command.comment
    return same_wish and recorded.correction == command.correction


def _misdirected(operation: Operation, proposal: Proposal, command: Decide) -> Refusal | None:
    if command.digest != proposal.digest:
        return DigestMismatch(current=proposal.digest)
    if command.decision != "revise" and command.correction is not None:
        return Invalid(fields={"correction": "only a request for changes can include one"})
    if command.decision != "revise" or command.correction is not None:
        return None
    if not operation.policy.has_team:
        return Invalid(
            fields={"correction": "include your correction: there is no team to make it"}
        )
    if not command.comment.strip():
        return Invalid(fields={"comment": "say what to change, or include the corrected text"})
    return None


def _decided(proposal: Proposal, command: Decide, now: datetime) -> Events:
    version, actor = command.version, command.reviewer.actor
    roles = tuple(role for role in proposal.asked_roles if role in command.reviewer.roles)
    recorded = DecisionRecorded(
        at=now,
        actor=actor,
        version=version,
        digest=command.digest,
        decision=command.decision,
        comment=command.comment,
        correction=command.correction,
        roles=roles,
    )
    if command.decision == "reject":
        return (recorded, ProposalRejected(at=now, actor=actor, version=version))
    if command.decision == "revise":
        return (recorded, ProposalSuperseded(at=now, actor=actor, version=version))
    if missing_role(proposal, {**proposal.approvals, actor.id: roles}) is None:
        return (recorded, ProposalApproved(at=now, actor=actor, version=version))
    return (recorded,)


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


def _amount(operation: Operation, command: Open) -> Decimal | None:
    """The amount that says how many people a version takes; None if it costs nothing.

    Whoever may approve less could else make an order smaller first, and approve it alone.
    """
    before = operation.proposals if operation.policy.by_largest else ()
    amounts = (command.amount, *(each.amount for each in before))
    return max((each.amount for each in amounts if each), default=None)


def _origin(operation: Operation) -> VersionOrigin:
    before = operation.current
    if before is None:
        return "draft"
    if before.status == "expired":
        return "escalation"
    if operation.unrevised:
        return "unchanged"
    return "correction" if before.correction is not None else "revision"


def _required_role(operation: Operation, before: Proposal | None) -> str:
    if before is None:
        return operation.policy.reviewer_role
    return before.escalated_to or before.required_role


def _correctors(operation: Operation, command: Open) -> tuple[str, ...]:
    before = operation.current
    if before is None:
        return ()
    if _origin(operation) != "correction" or not command.widens:
        return before.correctors
    return tuple(sorted({*before.correctors, before.decisions[-1][1].actor.id}))
