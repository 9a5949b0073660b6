"""When failed work is tried again, and who may ask for it: pure functions like all rules."""

from __future__ import annotations

from datetime import datetime, timedelta

from countersign.approvals.errors import Invalid, NotAuthorised, NotFound
from countersign.approvals.events import RetryRequested, RevisionFailed, WorkHeld, WorkResumed
from countersign.approvals.hold import Fault, Hold
from countersign.approvals.operation import Operation
from countersign.approvals.person import OPERATOR, SYSTEM, Person
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import ended, needs_operator, next_step

SOON = timedelta(seconds=10)
"""The pause before another try of what is expected to pass by itself."""

SOON_TRIES = 5
"""So many tries may fail before that is expected no more."""

FIRST_PAUSE = timedelta(minutes=5)
LONGEST_PAUSE = timedelta(hours=1)
"""Once an operator is needed: the pause doubles with each try."""


def hold_work(
    operation: Operation, step: str | None, fault: Fault, began: datetime, now: datetime
) -> Ruling:
    """Record that a try of a step, which `began` then, has failed.

    Steps side by side fail for one cause, and that is one try of theirs. Nothing is recorded of a
    step that another process has done meanwhile.
    """
    before = operation.hold
    tries = before.tries + 1 if before else 1
    waits = needs_an_operator(fault, before, tries)
    known = before and _is_same_try(before, began, now) and before.needs_operator >= waits
    if known and not ended(operation):
        return ()
    held = WorkHeld(
        at=now,
        actor=SYSTEM,
        step=step,
        cause=fault.cause,
        reason=fault.reason,
        tries=tries,
        next_try=_next_try(fault, before, now) if waits else now + SOON,
        needs_operator=waits,
    )
    return record_hold(operation, held)


def record_hold(operation: Operation, held: WorkHeld) -> Ruling:
    """Record a failed try as it is; the tries of an episode are counted.

    Nothing is recorded of work that is done, or that nobody waits for.
    """
    if refusal := ended(operation):
        return refusal
    if held.step in operation.work or not _is_at_work(operation):
        return ()
    counted = operation.hold.tries + 1 if operation.hold else 1
    if held.tries != counted:
        return Invalid(fields={"tries": f"this is try {counted}, not {held.tries}"})
    return (held,)


def needs_an_operator(fault: Fault, before: Hold | None, tries: int) -> bool:
    """Return whether a fault is one for an operator: by its kind, or because it doesn't pass."""
    if fault.passes != "soon":
        return True
    return tries >= SOON_TRIES or (before is not None and before.needs_operator)


def resume_work(operation: Operation, step: str, now: datetime) -> Ruling:
    """Record that a step is done which had failed."""
    hold = operation.hold
    if hold is None or hold.step not in {step, None}:
        return ()
    return ended(operation) or (WorkResumed(at=now, actor=SYSTEM, step=step),)


def request_retry(operation: Operation, person: Person, now: datetime) -> Ruling:
    """Retry work that waits for an operator.

    Its requester can, and whoever is an operator. Where nothing waits, or somebody has asked for
    the same, there is nothing to record.
    """
    if person.tenant != operation.tenant:
        return NotFound()
    if person.id != operation.requester.id and OPERATOR not in person.roles:
        return NotAuthorised(
            needs=f"the role {OPERATOR}, or that you are the requester of this operation"
        )
    if refusal := ended(operation):
        return refusal
    hold = needs_operator(operation)
    if hold is None or hold.asked:
        return ()
    return (RetryRequested(at=now, actor=person.actor),)


def fail_revision(operation: Operation, version: int, reason: str, now: datetime) -> Ruling:
    """Record that what a reviewer wanted changed in a version can't be done.

    Its content is what the next version has to offer then, and that takes a decision of its own.
    """
    if operation.unrevised or operation.proposal(version + 1):
        return ()
    if refusal := ended(operation):
        return refusal
    proposal = operation.proposal(version)
    if proposal is None or next_step(operation, version) != "revise" or proposal.correction:
        return Invalid(fields={"version": f"nobody has to revise version {version}"})
    return (RevisionFailed(at=now, actor=SYSTEM, version=version, reason=reason),)


def _is_at_work(operation: Operation) -> bool:
    current = operation.current
    return current is None or next_step(operation, current.version) in {"revise", "escalate"}


def _is_same_try(before: Hold, began: datetime, now: datetime) -> bool:
    asked_at = before.asked.at if before.asked else before.tried_at
    return began < max(before.tried_at, asked_at) or not before.is_due(now)


def _next_try(fault: Fault, before: Hold | None, now: datetime) -> datetime | None:
    if fault.passes == "never":
        return None
    last = before.pause if before and before.needs_operator else None
    return now + (min(2 * last, LONGEST_PAUSE) if last else FIRST_PAUSE)
