"""The consequential write: reserved, checked, done once, and confirmed by a receipt at the end."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from countersign.approvals import rules, writes
from countersign.approvals.digest import sha256
from countersign.approvals.errors import Refusal, UntrustedLedger
from countersign.approvals.operation import Operation, Proposal
from countersign.destinations.destination import (
    AlreadyThere,
    Destination,
    DestinationUnavailable,
    MaySend,
    NotAskable,
    NotWritten,
    Receipt,
    WriteInDoubt,
    WriteMismatch,
    at_any_time,
)
from countersign.kinds.registry import kind_named, read_content
from countersign.operations.proposing import close_operation, closed_as
from countersign.operations.refusals import stopped_by
from countersign.operations.repository import Changed
from countersign.operations.rule import in_turn
from countersign.operations.sending import Sending
from countersign.steps.records import Closed, ClosingWork, Stop, VersionWork, Wait, Written

if TYPE_CHECKING:
    from countersign.bodies.content import Content
    from countersign.services import Services


async def write_approved(app: Services, work: VersionWork) -> Written | Wait | Stop:
    """Write what was approved to its destination: a report is published, an order is placed.

    With the receipt the operation is closed.

    Running it twice is safe: reservation and receipt are recorded once, and the destination, asked
    by operation id, makes no second write.

    Raises:
        ArtifactError: the content can't be read back. It was approved, so it is tried again for as
            long as it takes.
        DestinationUnavailable: the destination can't be used now.
        SettingsError: there is no destination for this kind of operation.
    """
    try:
        operation = await app.operations.examined(work.tenant, work.operation_id)
    except UntrustedLedger:
        return Wait(news=False)
    proposal = operation.proposal(work.version) if operation else None
    if operation is None or proposal is None:
        return Stop(ends_as="failed", reason="The approved version is not in the ledger.")
    if operation.written:
        return _done(await close_operation(app, ClosingWork.of(work)))
    if operation.refused:
        return Stop(ends_as="failed", reason=operation.refused.reason)
    content = await read_content(app.artifacts, operation, proposal.content)
    return await _write(app, operation, proposal, content)


async def _write(
    app: Services, operation: Operation, proposal: Proposal, content: Content
) -> Written | Stop:
    digest = content.digest(operation, proposal.version)
    tenant, operation_id = operation.tenant, operation.id
    absent = False
    if operation.reservation is None:
        # After it nobody can be sure that nothing was written: a destination is waited for then.
        destination = kind_named(operation.kind).destination(app)
        # What can't be right there is found again, and told of, once there is a reservation.
        with suppress(WriteMismatch, NotAskable):
            absent = await destination.find(tenant=tenant, operation_id=operation_id) is None
    sending = Sending(app=app, operation=operation, version=proposal.version, digest=digest)
    reserved = await sending.reserve()
    if not isinstance(reserved, Changed):
        return await _stopped(app, operation, reserved)
    try:
        receipt = await _written(app, reserved.operation, sending, content, absent=absent)
    except (WriteMismatch, WriteInDoubt) as error:
        return Stop(ends_as="write_unknown", reason=f"{error}.")
    except NotWritten as error:
        return await _refused(app, operation, sending.attempt, f"{error}.")
    return await _confirmed(app, operation, receipt)


async def _stopped(app: Services, operation: Operation, refusal: Refusal) -> Stop:
    """Return why nothing is sent: what the destination refused meanwhile, or what else came."""
    state = await app.operations.load(operation.tenant, operation.id)
    if state and state.refused:
        return Stop(ends_as="failed", reason=state.refused.reason)
    return stopped_by(refusal)


async def _confirmed(app: Services, operation: Operation, receipt: Receipt) -> Written | Stop:
    outcome = kind_named(operation.kind).outcome
    recorded = await app.operations.change(
        operation.tenant,
        operation.id,
        in_turn(
            lambda state, now: writes.record_receipt(state, receipt, now, written=outcome),
            lambda state, now: rules.close(state, None, "", now, written=outcome),
        ),
        again=True,
    )
    if not isinstance(recorded, Changed):
        return stopped_by(recorded)
    if recorded.operation.late:
        # Its story has been told to the end, and nobody else would pass the news on.
        await app.notifier.notify(operation.tenant, operation.id)
    return _done(await closed_as(app, recorded.operation))


def _done(closed: Closed) -> Written:
    return Written(outcome=closed.outcome, news=closed.news)


async def _refused(app: Services, operation: Operation, attempt: str, reason: str) -> Stop:
    refused = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: writes.refuse_write(state, reason, now, attempt),
        again=True,
    )
    if not isinstance(refused, Changed):
        return stopped_by(refused)
    if refused.operation.reservation:
        raise DestinationUnavailable("another attempt at this write may be in transit")
    return Stop(ends_as="failed", reason=reason)


async def _written(
    app: Services, operation: Operation, sending: Sending, content: Content, *, absent: bool
) -> Receipt:
    tried_for = sending.tried_for(operation)
    return await write_once(
        kind_named(operation.kind).destination(app),
        tenant=operation.tenant,
        operation_id=operation.id,
        data=content.written(),
        tried_for=tried_for,
        # What another one tries may have come there since.
        absent=absent and tried_for is None,
        may_send=sending.may_send,
    )


async def write_once(  # noqa: PLR0913 - each says what is known of the write
    destination: Destination,
    *,
    tenant: str,
    operation_id: str,
    data: bytes,
    tried_for: timedelta | None = None,
    absent: bool = False,
    may_send: MaySend = at_any_time,
) -> Receipt:
    """See to it that these bytes are at the destination.

    Running it again, after a crash at any point or at the same time elsewhere, is safe: the
    destination makes no second write, and the receipt is of what is there.

    Args:
        destination: where to.
        tenant: whose operation it is.
        operation_id: the operation.
        data: what was approved.
        tried_for: how long ago this was first tried for the operation, None if never. Of all who
            try, only one may say never: some destinations have no guard of their own.
        absent: whether nothing was found at the destination just now, before all tries.
        may_send: is asked before anything is sent.

    Returns:
        The receipt of the one write.

    Raises:
        WriteMismatch: something else is there for this operation; the message says what.
        WriteInDoubt: it may be there, and writing again could write twice.
        NotWritten: it is not there, and won't be.
        DestinationUnavailable: the destination can't be used now; trying again is safe.
    """
    try:
        return await destination.write(
            tenant=tenant,
            operation_id=operation_id,
            data=data,
            tried_for=tried_for,
            absent=absent,
            may_send=may_send,
        )
    except AlreadyThere:
        there = await destination.find(tenant=tenant, operation_id=operation_id)
    if there is None or there["sha256"] != sha256(data):
        raise WriteMismatch(_mismatch(operation_id, there))
    return there


def _mismatch(operation_id: str, there: Receipt | None) -> str:
    if there is None:
        return f"what was there for {operation_id} is gone"
    return (
        f"the {there['destination']} holds something else for {operation_id}: {there['location']}"
    )
