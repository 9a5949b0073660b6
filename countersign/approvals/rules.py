"""What is legal: every command as a pure function of state and time to events or a refusal.

An empty tuple of events means that the command was carried out before and stands. All times are
aware and UTC; `now` is the moment at which the command is recorded.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from countersign.approvals.errors import (
    DigestMismatch,
    Invalid,
    LastVersion,
    NotAuthorised,
    NotFound,
    OwnRequest,
    PasskeyRefused,
    PasskeyRequired,
    PeopleOnly,
    Refusal,
)
from countersign.approvals.events import (
    ApprovalTakenBack,
    Decision,
    DecisionRecorded,
    Event,
    ModelCalled,
    OperationClosed,
    OperationWithdrawn,
    ProposalApproved,
    ProposalExpired,
    ProposalRejected,
    ProposalSuperseded,
    ReminderDue,
    WorkDone,
    WorkPlanned,
)
from countersign.approvals.operation import Operation
from countersign.approvals.outcome import Outcome
from countersign.approvals.passkey import PasskeySignature
from countersign.approvals.person import SYSTEM, Person
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.proposal import Proposal
from countersign.approvals.quorum import missing_role
from countersign.approvals.standing import (
    REASONS,
    already,
    decided_for_good,
    ended,
    expiry,
    implied_outcome,
    may_end_as,
    too_late,
)

Events: TypeAlias = tuple[Event, ...]
Ruling: TypeAlias = Events | Refusal

SIGNED_BEFORE = PasskeyRefused(reason="It was signed before your last decision. Sign again.")
"""Why a signature doesn't count that was made before the person decided otherwise."""

NOT_APPROVED = NotAuthorised(needs="that you have approved this version")
"""Why there is nothing to take back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decide:
    """A reviewer's decision about one version.

    `correction` refers to a whole new content, `comments` to what is said about passages.
    `passkey` is a signature that was found to be by a passkey of the reviewer's.
    """

    reviewer: Person
    version: int
    digest: str
    decision: Decision
    comment: str = ""
    correction: str | None = None
    comments: str | None = None
    passkey: PasskeySignature | None = None


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


def decide(operation: Operation, command: Decide, now: datetime) -> Ruling:
    """Record a reviewer's decision, or say why it can't count.

    Who has approved may reject or request changes instead, which takes the approval back.
    """
    proposal = operation.proposal(command.version)
    if proposal is None or command.reviewer.tenant != operation.tenant:
        return NotFound()
    if refusal := may_not_decide(operation, proposal, command.reviewer):
        return refusal
    mine = proposal.decided_by(command.reviewer.id)
    if mine and _is_same(mine[1], command):
        return ()
    return (
        too_late(operation, proposal, now)
        or _misdirected(operation, proposal, command)
        or (already(mine[1]) if mine and command.decision == "approve" else None)
        or _unsigned(operation, proposal, command)
        or _decided(proposal, command, now)
    )


def take_back(operation: Operation, person: Person, version: int, now: datetime) -> Ruling:
    """Take an own approval back, while the version waits for others; that needs no role."""
    proposal = operation.proposal(version)
    if proposal is None or person.tenant != operation.tenant:
        return NotFound()
    if person.program:
        return PeopleOnly()
    if mine := proposal.decided_by(person.id):
        return too_late(operation, proposal, now) or (_taken_back(proposal, mine[0], person, now),)
    was_mine = any(event.actor.id == person.id for event in proposal.taken_back.values())
    return () if was_mine else NOT_APPROVED


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
    said = operation.stopped.reason if operation.stopped else _said(operation, ends_as)
    why = said or reason or REASONS.get(ends_as, "")
    return (OperationClosed(at=now, actor=SYSTEM, outcome=ends_as, reason=why),)


def _said(operation: Operation, outcome: Outcome) -> str:
    """Return the reason given by the person who ended the operation; empty if nobody did."""
    if operation.policy.edition < 2:
        return ""
    if outcome == "withdrawn" and operation.withdrawn:
        return operation.withdrawn.reason
    current = operation.current
    return current.decisions[-1][1].comment if outcome == "rejected" and current else ""


def may_not_decide(operation: Operation, proposal: Proposal, person: Person) -> Refusal | None:
    """Return why a person can't be one who decides about a version; None if they can."""
    if person.program:
        return PeopleOnly()
    if person.roles.isdisjoint(proposal.asked_roles):
        return NotAuthorised(needs=f"the role {' or '.join(proposal.asked_roles)}")
    return OwnRequest() if person.id == operation.requester.id else None


def _is_same(recorded: DecisionRecorded, command: Decide) -> bool:
    if (recorded.decision, recorded.digest) != (command.decision, command.digest):
        return False
    # What a reviewer asks to be changed is the decision: another wish is not the same again.
    said, says = (recorded.comment, recorded.comments), (command.comment, command.comments)
    same_wish = command.decision != "revise" or said == says
    return same_wish and recorded.correction == command.correction


def _misdirected(operation: Operation, proposal: Proposal, command: Decide) -> Refusal | None:
    if command.digest != proposal.digest:
        return DigestMismatch(current=proposal.digest)
    if command.decision != "revise" and command.correction is not None:
        return Invalid(fields={"correction": "only a request for changes can include one"})
    if command.comments is not None and (command.decision != "revise" or command.correction):
        return Invalid(fields={"comments": "only a request for changes to the team can have any"})
    if command.passkey is not None and command.decision != "approve":
        return Invalid(fields={"passkey": "only an approval is signed with a passkey"})
    if command.decision == "reject":
        return _without_reason(operation, command)
    return _unfit_wish(operation, command) if command.decision == "revise" else None


def _unsigned(operation: Operation, proposal: Proposal, command: Decide) -> Refusal | None:
    """Return why an approval lacks the signature that it takes, or has one that doesn't count."""
    if command.decision != "approve":
        return None
    if command.passkey is None:
        needed = proposal.needs_passkey(_asked_roles(proposal, command.reviewer))
        return PasskeyRequired() if needed else None
    # What somebody signed before they took an approval back must not bring it back.
    if command.passkey.after < operation.decided.get(command.reviewer.id, 0):
        return SIGNED_BEFORE
    return None


def _without_reason(operation: Operation, command: Decide) -> Refusal | None:
    if operation.policy.edition < 2 or command.comment.strip():
        return None
    return Invalid(fields={"comment": "a rejection needs a reason: say why you reject this"})


def _unfit_wish(operation: Operation, command: Decide) -> Refusal | None:
    """Return why what is to be changed can't be taken: in words, or as a correction."""
    is_last = command.version == MAX_VERSIONS and operation.policy.edition >= 2
    if command.correction is not None:
        return LastVersion(most=MAX_VERSIONS) if is_last else None
    if not operation.policy.has_team and not is_last:
        return Invalid(
            fields={"correction": "include your correction: there is no team to make it"}
        )
    said = (
        command.comment.strip()
        or command.comments
        or operation.proposals[command.version - 1].added
    )
    if not said:
        return Invalid(fields={"comment": "say what to change, or include the corrected text"})
    return None


def _taken_back(
    proposal: Proposal, approval: int, person: Person, now: datetime
) -> ApprovalTakenBack:
    return ApprovalTakenBack(
        at=now, actor=person.actor, version=proposal.version, approval=approval
    )


def _asked_roles(proposal: Proposal, person: Person) -> tuple[str, ...]:
    return tuple(role for role in proposal.asked_roles if role in person.roles)


def _decided(proposal: Proposal, command: Decide, now: datetime) -> Events:
    version, actor = command.version, command.reviewer.actor
    mine = proposal.decided_by(actor.id)
    before = (_taken_back(proposal, mine[0], command.reviewer, now),) if mine else ()
    roles = _asked_roles(proposal, command.reviewer)
    recorded = DecisionRecorded(
        at=now,
        actor=actor,
        version=version,
        digest=command.digest,
        decision=command.decision,
        comment=command.comment,
        correction=command.correction,
        roles=roles,
        comments=command.comments,
        passkey=command.passkey,
    )
    if command.decision == "reject":
        return (*before, recorded, ProposalRejected(at=now, actor=actor, version=version))
    if command.decision == "revise":
        return (*before, recorded, ProposalSuperseded(at=now, actor=actor, version=version))
    if missing_role(proposal, {**proposal.approvals, actor.id: roles}) is None:
        return (recorded, ProposalApproved(at=now, actor=actor, version=version))
    return (recorded,)
