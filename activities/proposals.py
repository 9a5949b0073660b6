"""Open, settle and close: what an orchestration records about its proposals."""

from __future__ import annotations

import asyncio
from typing import Any

import azure.durable_functions as df

from activities.answers import Answer, stop, stopped_by
from activities.failures import contained
from activities.traces import traced
from countersign.approvals import rules
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.standing import next_step, next_wake
from countersign.content import read_content
from countersign.operations import Changed
from countersign.steps import draft_step
from countersign.stores.artifacts import ArtifactError
from countersign.wiring import Services, services

blueprint = df.Blueprint()


@blueprint.activity_trigger(input_name="order")
@contained
@traced
def open_proposal(order: dict[str, Any]) -> Answer:
    """Offer a version for approval; running it twice opens it once, the first deadline stands."""
    return asyncio.run(_open(services(), order["tenant"], order["operation_id"], order["version"]))


@blueprint.activity_trigger(input_name="proposal")
@contained
@traced
def settle_proposal(proposal: dict[str, Any]) -> Answer:
    """Say what the ledger holds about a version, after recording what time has made true.

    Running it twice is safe: an expiry and each reminder are recorded once, the rest is reading.
    """
    return asyncio.run(
        _settle(services(), proposal["tenant"], proposal["operation_id"], proposal["version"])
    )


@blueprint.activity_trigger(input_name="ending")
@contained
@traced
def close_operation(ending: dict[str, Any]) -> Answer:
    """End an operation; running it twice leaves the first ending and its reason."""
    return asyncio.run(_close(services(), ending))


async def _open(app: Services, tenant: str, operation_id: str, version: int) -> Answer:
    operation = await app.operations.load(tenant, operation_id)
    if operation is None:
        return stop("failed", "The operation is not in the ledger.")
    if operation.proposal(version):
        return {"version": version}
    try:
        offer = await _offer(app, operation, version)
    except ArtifactError:
        return stop("failed", f"The text of version {version} is missing or damaged.")
    changed = await app.operations.change(
        tenant, operation_id, lambda state, now: rules.open_proposal(state, offer, now)
    )
    return {"version": version} if isinstance(changed, Changed) else stopped_by(changed)


async def _offer(app: Services, operation: Operation, version: int) -> rules.Open:
    content, evidence = await _material(app, operation, version)
    offered = await read_content(app.artifacts, operation.tenant, content)
    digest = offered.digest(operation, version)
    return rules.Open(version=version, digest=digest, content=content, evidence=evidence)


async def _material(app: Services, operation: Operation, version: int) -> tuple[str, str]:
    """References of a version's content and evidence: a new draft, a correction, or the same."""
    if (step := draft_step(version)) in operation.work:
        made = await app.workshop.result(operation, step)
        return made["content"], made["evidence"]
    before = operation.proposals[version - 2]
    if before.correction:
        return before.correction, await _evidence_for_correction(app, operation, before)
    return before.content, before.evidence


async def _evidence_for_correction(app: Services, operation: Operation, corrected: Proposal) -> str:
    # Imported here because building its models would slow every start of the app down.
    from countersign.evidence import EDITED, Evidence

    stored = await app.artifacts.get(operation.tenant, corrected.evidence)
    evidence = Evidence.model_validate_json(stored)
    reference = corrected.correction or corrected.content
    content = await read_content(app.artifacts, operation.tenant, reference)
    about = evidence.about(content.text, notes=EDITED, revision="", own_text=True)
    return await app.artifacts.put(operation.tenant, about.stored())


async def _settle(app: Services, tenant: str, operation_id: str, version: int) -> Answer:
    changed = await app.operations.change(
        tenant, operation_id, lambda state, now: rules.settle(state, version, now)
    )
    if not isinstance(changed, Changed):
        return {"next": "close"}
    step = next_step(changed.operation, version)
    proposal = changed.operation.proposal(version)
    if proposal is None or step != "wait":
        return {"next": step}
    wake_at = next_wake(changed.operation, proposal).isoformat()
    return {"next": step, "wake_at": wake_at, "news": app.notifier.has_news(changed.operation)}


async def _close(app: Services, ending: dict[str, Any]) -> Answer:
    outcome, reason = ending.get("ends_as"), ending.get("reason", "")
    changed = await app.operations.change(
        ending["tenant"],
        ending["operation_id"],
        lambda state, now: rules.close(state, outcome, reason, now),
    )
    if not isinstance(changed, Changed) or changed.operation.closed is None:
        raise RuntimeError(f"{ending['operation_id']} can't be closed: {changed}")
    news = app.notifier.has_news(changed.operation)
    return {"outcome": changed.operation.closed.outcome, "news": news}
