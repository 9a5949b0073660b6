"""When names, texts and artifacts are erased, and when an operation is kept as it is."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from countersign.approvals.errors import Invalid, NotAuthorised, NotFound, Refusal
from countersign.approvals.events import (
    ContentErased,
    LegalHoldLifted,
    LegalHoldPlaced,
    PersonErased,
)
from countersign.approvals.operation import Operation
from countersign.approvals.person import OPERATOR, SYSTEM, Person
from countersign.approvals.rules import Ruling


def erase_content(operation: Operation, rule: str, now: datetime) -> Ruling:
    """Erase all names, texts and artifacts of an operation that has ended; once is enough."""
    if operation.erased:
        return ()
    return _kept(operation) or (ContentErased(at=now, actor=SYSTEM, rule=rule),)


def erase_person(
    operation: Operation,
    operator: Person,
    commitments: Collection[str],
    rule: str,
    now: datetime,
) -> Ruling:
    """Erase what somebody is called and wrote in an operation that has ended.

    Args:
        operation: the state.
        operator: who has it done.
        commitments: those behind which it is.
        rule: why it has to be done.
        now: the moment (UTC).
    """
    if refusal := _not_an_operator(operation, operator):
        return refusal
    before = {each for event in operation.people_erased for each in event.commitments}
    if operation.erased or (commitments and before.issuperset(commitments)):
        return ()
    named = tuple(sorted(commitments))
    return _kept(operation) or (
        PersonErased(at=now, actor=operator.actor, rule=rule, commitments=named),
    )


def place_hold(operation: Operation, operator: Person, reason: str, now: datetime) -> Ruling:
    """Keep an operation as it is, whatever rules say about erasing."""
    if refusal := _not_an_operator(operation, operator):
        return refusal
    if operation.legal_hold:
        return ()
    if operation.erased:
        return Invalid(fields={"operation": "its names and texts are erased already"})
    return (LegalHoldPlaced(at=now, actor=operator.actor, reason=reason),)


def lift_hold(operation: Operation, operator: Person, reason: str, now: datetime) -> Ruling:
    """No longer keep an operation as it is."""
    if refusal := _not_an_operator(operation, operator):
        return refusal
    if operation.legal_hold is None:
        return ()
    return (LegalHoldLifted(at=now, actor=operator.actor, reason=reason),)


def _kept(operation: Operation) -> Refusal | None:
    """Why nothing of an operation is erased now; None if it can be."""
    if not operation.erasable:
        return Invalid(fields={"operation": "it was begun by a release that could erase nothing"})
    if operation.closed is None:
        return Invalid(fields={"operation": "it has not ended"})
    if operation.legal_hold:
        return Invalid(fields={"operation": "it is under a legal hold"})
    return None


def _not_an_operator(operation: Operation, person: Person) -> Refusal | None:
    if person.tenant != operation.tenant:
        return NotFound()
    return None if OPERATOR in person.roles else NotAuthorised(needs=f"the role {OPERATOR}")
