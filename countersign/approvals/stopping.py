"""How somebody who runs the app ends an operation: a command of its own, and never in passing."""

from __future__ import annotations

from datetime import datetime

from countersign.approvals.errors import NotAuthorised, NotFound
from countersign.approvals.events import OperationStopped
from countersign.approvals.operation import Operation
from countersign.approvals.person import OPERATOR, Person
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import already, decided_for_good, ended


def stop(operation: Operation, person: Person, reason: str, now: datetime) -> Ruling:
    """End an operation that nobody approved; what is approved is carried out."""
    if person.tenant != operation.tenant:
        return NotFound()
    if OPERATOR not in person.roles:
        return NotAuthorised(needs=f"the role {OPERATOR}")
    if operation.stopped:
        return ()
    if refusal := ended(operation):
        return refusal
    current = operation.current
    if current and current.status == "approved":
        return already(current.decisions[-1][1])
    return decided_for_good(operation, now) or (
        OperationStopped(at=now, actor=person.actor, reason=reason),
    )
