"""What somebody may do about an operation now: each command, tried on the rules that record it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from countersign.approvals.errors import NotAuthorised, Refusal
from countersign.approvals.events import Decision
from countersign.approvals.holding import request_retry
from countersign.approvals.operation import Operation
from countersign.approvals.passkey import PasskeySignature
from countersign.approvals.person import Person
from countersign.approvals.proposal import Proposal
from countersign.approvals.questions import Ask, ask
from countersign.approvals.resolving import resolve
from countersign.approvals.rules import NOT_APPROVED, Decide, Ruling, decide, take_back, withdraw
from countersign.approvals.standing import already, ended, needs_operator
from countersign.approvals.stopping import stop

_ANY = "anything"

NOTHING_WAITS = NotAuthorised(needs="that the work waits for an operator")
"""Why there is nothing to try again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Permissions:
    """What somebody may do about a version: None for what they may, else why they may not.

    Attributes:
        approve: to approve it.
        reject: to reject it.
        revise: to have others change it, as a comment says.
        correct: to send the content as it should be.
        take_back: to take the own approval of it back.
        ask: to ask the fact-checker about it.
        withdraw: to take the whole request back.
    """

    approve: Refusal | None
    reject: Refusal | None
    revise: Refusal | None
    correct: Refusal | None
    take_back: Refusal | None
    ask: Refusal | None
    withdraw: Refusal | None


def permissions(
    operation: Operation, proposal: Proposal, person: Person, now: datetime
) -> Permissions:
    """Return the permissions of a person on a version at this moment (UTC)."""
    mine = proposal.decided_by(person.id)
    taken_back = may_take_back(operation, proposal, person, now)

    def decided(decision: Decision, correction: str | None = None) -> Refusal | None:
        if mine and decision == "approve":
            return already(mine[1])
        if mine and taken_back:
            return taken_back
        command = Decide(
            reviewer=person,
            version=proposal.version,
            digest=proposal.digest,
            decision=decision,
            comment=_ANY,
            correction=correction,
        )
        return _refusal(decide(operation, as_signed(operation, command), now))

    question = Ask(reviewer=person, version=proposal.version, question=_ANY)
    return Permissions(
        approve=decided("approve"),
        reject=decided("reject"),
        revise=decided("revise"),
        correct=decided("revise", _ANY),
        take_back=taken_back,
        ask=_refusal(ask(operation, question, now)),
        withdraw=may_withdraw(operation, person, now),
    )


def as_signed(operation: Operation, command: Decide) -> Decide:
    """Return a decision as if the person had signed it now, where a passkey could sign it."""
    signed = PasskeySignature(after=operation.sequence, text=_ANY)
    return replace(command, passkey=signed if command.decision == "approve" else None)


def may_take_back(
    operation: Operation, proposal: Proposal, person: Person, now: datetime
) -> Refusal | None:
    """Return why somebody has no approval of a version to take back now; None if they have one."""
    refusal = _refusal(take_back(operation, person, proposal.version, now))
    return refusal or (None if proposal.decided_by(person.id) else NOT_APPROVED)


def may_withdraw(operation: Operation, person: Person, now: datetime) -> Refusal | None:
    """Return why somebody may not take a request back now; None if they may."""
    return _refusal(withdraw(operation, person, "", now)) or ended(operation)


def may_retry(operation: Operation, person: Person, now: datetime) -> Refusal | None:
    """Return why somebody may not retry work that waits for an operator; None if they may."""
    refusal = _refusal(request_retry(operation, person, now))
    return refusal or (None if needs_operator(operation) else NOTHING_WAITS)


def may_stop(operation: Operation, person: Person, now: datetime) -> Refusal | None:
    """Return why somebody may not stop an operation now; None if they may."""
    return _refusal(stop(operation, person, "", now)) or ended(operation)


def may_resolve(
    operation: Operation, person: Person, version: int, comment: int, now: datetime
) -> Refusal | None:
    """Why somebody may not resolve a comment on a version now; None if they may."""
    return _refusal(resolve(operation, person, version, comment, now))


def _refusal(answer: Ruling) -> Refusal | None:
    return None if isinstance(answer, tuple) else answer
