"""Open, settle and close, as every engine does it: what is recorded about an operation's versions.

Each can run twice: a version is opened, an expiry recorded and an operation closed once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from countersign.approvals import rules
from countersign.approvals.errors import Refusal
from countersign.approvals.events import Outcome
from countersign.approvals.operation import Operation, Proposal
from countersign.kinds import read_content
from countersign.operations.endings import Answer, stop, stopped_by
from countersign.operations.repository import Changed
from countersign.operations.steps import draft_step
from countersign.platform.threads import PAGES
from countersign.stores.artifacts import ArtifactError

if TYPE_CHECKING:
    from countersign.services import Services


async def open_version(app: Services, tenant: str, operation_id: str, version: int) -> Answer:
    """Offer a version for approval; the first deadline stands.

    Returns:
        The `version`, or why the operation ends.
    """
    operation = await app.operations.load(tenant, operation_id)
    if operation is None:
        return stop("failed", "The operation is not in the ledger.")
    if operation.proposal(version):
        return {"version": version}
    try:
        offer = await _offer(app, operation, version)
    except ArtifactError:
        return stop("failed", f"The content of version {version} is missing or damaged.")
    changed = await app.operations.change(
        tenant, operation_id, lambda state, now: rules.open_proposal(state, offer, now)
    )
    return {"version": version} if isinstance(changed, Changed) else stopped_by(changed)


async def settle_version(
    app: Services, tenant: str, operation_id: str, version: int
) -> Changed | Refusal:
    """Record what time alone has made true of a version: a reminder, or that it expired."""
    return await app.operations.change(
        tenant, operation_id, lambda state, now: rules.settle(state, version, now)
    )


async def close(
    app: Services, tenant: str, operation_id: str, outcome: Outcome | None, reason: str
) -> Operation:
    """End an operation with what its state implies, else with `outcome`; the first ending stands.

    Raises:
        RuntimeError: neither is true to its state.
    """
    changed = await app.operations.change(
        tenant, operation_id, lambda state, now: rules.close(state, outcome, reason, now)
    )
    if not isinstance(changed, Changed) or changed.operation.closed is None:
        raise RuntimeError(f"{operation_id} can't be closed: {changed}")
    return changed.operation


async def _offer(app: Services, operation: Operation, version: int) -> rules.Open:
    # Imported here because building its models would slow every start of the app down.
    from countersign.operations.content import offer

    content, evidence = await _material(app, operation, version)
    offered = await read_content(app.artifacts, operation, content)
    before = operation.proposal(version - 1)
    corrected = None
    if before and before.correction:
        corrected = await read_content(app.artifacts, operation, before.content)
    return offer(
        operation,
        version,
        offered=offered,
        content=content,
        evidence=evidence,
        corrected=corrected,
    )


async def _material(app: Services, operation: Operation, version: int) -> tuple[str, str | None]:
    """References of a version's content and evidence: a new draft, a correction, or the same."""
    if (step := draft_step(version)) in operation.work:
        made = await app.workshop.result(operation, step)
        return made["content"], made["evidence"]
    before = operation.proposals[version - 2]
    if before.correction:
        return before.correction, await _evidence_for_correction(app, operation, before)
    return before.content, before.evidence


async def _evidence_for_correction(
    app: Services, operation: Operation, corrected: Proposal
) -> str | None:
    if corrected.evidence is None:
        return None
    # Imported here because building its models would slow every start of the app down.
    from countersign.research.evidence import Evidence
    from countersign.research.report import read_report

    stored = await app.artifacts.get(operation.tenant, corrected.evidence)
    evidence = Evidence.model_validate_json(stored)
    reference = corrected.correction or corrected.content
    content = await read_report(app.artifacts, operation.tenant, reference)
    about = await PAGES.run(evidence.of_own_text, content.text)
    return await app.artifacts.put(operation.tenant, about.stored())
