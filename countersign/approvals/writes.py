"""What is recorded of the consequential write: each try is claimed, and a receipt is a fact."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from countersign.approvals.errors import DigestMismatch, NotAuthorised, NotFound
from countersign.approvals.events import (
    OperationClosed,
    ReceiptRecorded,
    WriteClaimed,
    WriteFound,
    WriteRefused,
)
from countersign.approvals.operation import Operation
from countersign.approvals.outcome import Outcome
from countersign.approvals.person import SYSTEM
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import already, closed_as, ended

MOST_CLAIMS = 10
"""So many tries of a write are told apart. After that no refusal counts: there may be more tries
than the ledger names, and an outage of days must not fill it."""

CONFIRMED_LATE = "The confirmation came after the operation had ended as {outcome}."


def reserve_write(
    operation: Operation,
    version: int,
    digest: str,
    now: datetime,
    attempt: str | None = None,
    *,
    again: bool = False,
) -> Ruling:
    """Announce a try to write an approved digest, before anything is sent.

    Args:
        operation: the state.
        version: the approved version.
        digest: that of the bytes that would be written.
        now: the moment (UTC).
        attempt: names the try.
        again: whether this try is recorded beside others of which it isn't known what came.
    """
    proposal = operation.proposal(version)
    if proposal is None:
        return NotFound()
    if proposal.digest != digest:
        return DigestMismatch(current=proposal.digest)
    # An operation that ended without a receipt is a person's matter: a late publisher stops here.
    if (refusal := ended(operation)) and not operation.written:
        return refusal
    if operation.reservation and operation.reservation.version == version:
        if not again or operation.written or not _is_told_apart(operation, attempt):
            return ()
    elif proposal.status != "approved":
        return NotAuthorised(needs="an approval of this version")
    return (WriteClaimed(at=now, actor=SYSTEM, version=version, digest=digest, attempt=attempt),)


def refuse_write(
    operation: Operation, reason: str, now: datetime, attempt: str | None = None
) -> Ruling:
    """Record that the destination took nothing of a try and never will.

    The reservation stands for as long as it isn't known what came of another try.
    """
    if operation.written:
        return already(operation.proposals[operation.written.version - 1].decisions[-1][1])
    if operation.closed:
        return closed_as(operation.closed)
    if operation.reservation is None or len(operation.claims) >= MOST_CLAIMS:
        return ()
    if attempt not in {each.attempt for each in operation.claims}:
        return ()
    version = operation.reservation.version
    return (WriteRefused(at=now, actor=SYSTEM, version=version, reason=reason, attempt=attempt),)


def record_receipt(
    operation: Operation, receipt: Mapping[str, Any], now: datetime, *, written: Outcome
) -> Ruling:
    """Record the destination's confirmation, whenever it comes; the first receipt stands.

    What is written is written: an operation that had ended otherwise ends as `written` instead.

    Args:
        operation: the state.
        receipt: what the destination confirms.
        now: the moment (UTC).
        written: as what operations of its kind end once the write is confirmed.
    """
    if operation.written:
        return ()
    if operation.begun is None:
        return NotAuthorised(needs="a reserved write")
    version = operation.begun.version
    received = ReceiptRecorded(at=now, actor=SYSTEM, version=version, receipt=receipt)
    if operation.closed is None:
        return (received,)
    why = CONFIRMED_LATE.format(outcome=operation.closed.outcome)
    return (received, OperationClosed(at=now, actor=SYSTEM, outcome=written, reason=why))


def find_write(operation: Operation, found: str, now: datetime) -> Ruling:
    """End an operation for which its destination has what its ledger knows no approval of.

    Args:
        operation: the state.
        found: a sentence for people that says what is there.
        now: the moment (UTC).
    """
    if operation.closed:
        return closed_as(operation.closed)
    return (
        WriteFound(at=now, actor=SYSTEM, found=found),
        OperationClosed(at=now, actor=SYSTEM, outcome="write_unknown", reason=found),
    )


def _is_told_apart(operation: Operation, attempt: str | None) -> bool:
    known = {each.attempt for each in operation.claims}
    return attempt not in known and len(operation.claims) < MOST_CLAIMS
