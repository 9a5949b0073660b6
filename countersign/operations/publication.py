"""The consequential write: claimed, checked, done once, and confirmed by a receipt."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from countersign.approvals import rules
from countersign.approvals.operation import Operation, Proposal
from countersign.destinations.destination import NotWritten, Receipt, WriteInDoubt, WriteMismatch
from countersign.destinations.publish import write_once
from countersign.kinds import read_content
from countersign.operations.endings import Answer, stop, stopped_by
from countersign.operations.repository import Changed

if TYPE_CHECKING:
    from countersign.operations.content import Content
    from countersign.services import Services


async def publish(app: Services, tenant: str, operation_id: str, version: int) -> Answer:
    """Write what was approved to its destination: a report is published, an order is placed.

    Running it twice is safe: the claim and the receipt are recorded once, and after a claim the
    destination, asked by operation id, makes no second write.

    Returns:
        `published`, or why the operation ends.

    Raises:
        ArtifactError: the content can't be read back. It was approved, so it is tried again for as
            long as it takes.
        DestinationUnavailable: the destination can't be used now.
        SettingsError: there is no destination for this kind of operation.
    """
    operation = await app.operations.load(tenant, operation_id)
    proposal = operation.proposal(version) if operation else None
    if operation is None or proposal is None:
        return stop("failed", "The approved version is not in the ledger.")
    if operation.receipt:
        return {"published": True}
    content = await read_content(app.artifacts, operation, proposal.content)
    return await _write(app, operation, proposal, content)


async def _write(
    app: Services, operation: Operation, proposal: Proposal, content: Content
) -> Answer:
    digest = content.digest(operation, proposal.version)
    tenant, operation_id = operation.tenant, operation.id
    if operation.claim is None:
        # After a claim nobody can be sure that nothing was written: one that is away is waited for.
        destination = app.destination_for(operation.kind)
        # What can't be right there is found again, and told of, once there is a claim.
        with suppress(WriteMismatch):
            await destination.find(tenant=tenant, operation_id=operation_id)
    claimed = await app.operations.change(
        tenant,
        operation_id,
        lambda state, now: rules.claim_write(state, proposal.version, digest, now),
    )
    if not isinstance(claimed, Changed):
        return stopped_by(claimed)
    try:
        receipt = await _written(app, claimed, content)
    except (WriteMismatch, WriteInDoubt) as error:
        return stop("write_unknown", f"{error}.")
    except NotWritten as error:
        return await _refused(app, operation, f"{error}.")
    recorded = await app.operations.change(
        tenant, operation_id, lambda state, now: rules.record_receipt(state, receipt, now)
    )
    return {"published": True} if isinstance(recorded, Changed) else stopped_by(recorded)


async def _refused(app: Services, operation: Operation, reason: str) -> Answer:
    refused = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: rules.refuse_write(state, reason, now),
    )
    return stop("failed", reason) if isinstance(refused, Changed) else stopped_by(refused)


async def _written(app: Services, claimed: Changed, content: Content) -> Receipt:
    operation, claim = claimed.operation, claimed.operation.claim
    # Who finds a claim doesn't know how far the one came who made it.
    tried_for = app.clock() - claim.at if claim and not claimed.events else None
    return await write_once(
        app.destination_for(operation.kind),
        tenant=operation.tenant,
        operation_id=operation.id,
        data=content.written(),
        tried_for=tried_for,
    )
