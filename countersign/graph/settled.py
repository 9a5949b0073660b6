"""Questions of a graph that the ledger has settled already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from countersign.approvals.operation import Operation
from countersign.graph import writer
from countersign.graph.answers import approval_at, ring
from countersign.graph.rest import PendingQuestion
from countersign.operations.proposing import settle_version
from countersign.steps.records import VersionWork

if TYPE_CHECKING:
    from countersign.services import Services


async def settled(
    app: Services, operation: Operation, request_id: str | None, question: PendingQuestion | None
) -> dict[str, Any]:
    """Return the ledger's answer to a question, by its id; empty while the question waits."""
    if request_id is None or question is None:
        return {}
    version = question["version"]
    if question["question"] == writer.QUESTION:
        sequence = approval_at(operation, version, question["digest"])
        withdrawn = operation.sequence if operation.withdrawn else None
        answered = sequence or withdrawn
        return {request_id: ring(answered)} if answered else {}
    work = VersionWork(tenant=operation.tenant, operation_id=operation.id, version=version)
    if (await settle_version(app, work)).next == "wait":
        return {}
    return {request_id: ring(operation.sequence)}
