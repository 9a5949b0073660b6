"""The consequential write: claimed, checked, done once, and confirmed by a receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from countersign.approvals import rules
from countersign.approvals.operation import Operation, Proposal
from countersign.content import ReportContent, read_content
from countersign.endings import Answer, stop, stopped_by
from countersign.operations import Changed
from countersign.writing.destination import WriteMismatch
from countersign.writing.publish import write_once

if TYPE_CHECKING:
    from countersign.wiring import Services


async def publish(app: Services, tenant: str, operation_id: str, version: int) -> Answer:
    """Write an approved text to its destination.

    Running it twice is safe: the claim and the receipt are recorded once, and after a claim the
    destination is asked by operation id before anything is written.

    Returns:
        `published`, or why the operation ends.

    Raises:
        ArtifactError: the text can't be read back. It was approved, so it is tried again for as
            long as it takes.
        DestinationUnavailable: the destination can't be used now.
    """
    operation = await app.operations.load(tenant, operation_id)
    proposal = operation.proposal(version) if operation else None
    if operation is None or proposal is None:
        return stop("failed", "The approved version is not in the ledger.")
    if operation.receipt:
        return {"published": True}
    content = await read_content(app.artifacts, tenant, proposal.content)
    return await _write(app, operation, proposal, content)


async def _write(
    app: Services, operation: Operation, proposal: Proposal, content: ReportContent
) -> Answer:
    digest = content.digest(operation, proposal.version)
    tenant, operation_id = operation.tenant, operation.id
    claimed = await app.operations.change(
        tenant,
        operation_id,
        lambda state, now: rules.claim_write(state, proposal.version, digest, now),
    )
    if not isinstance(claimed, Changed):
        return stopped_by(claimed)
    try:
        receipt = await write_once(
            app.destination,
            tenant=tenant,
            operation_id=operation_id,
            data=content.text.encode(),
        )
    except WriteMismatch as error:
        return stop("write_unknown", f"{error}.")
    recorded = await app.operations.change(
        tenant, operation_id, lambda state, now: rules.record_receipt(state, receipt, now)
    )
    return {"published": True} if isinstance(recorded, Changed) else stopped_by(recorded)
