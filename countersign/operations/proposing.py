"""Open, settle and close, as every engine does it: what is recorded about an operation's versions.

Each can run twice: a version is opened, an expiry recorded and an operation closed once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from countersign.approvals import offering, rules
from countersign.approvals.errors import UntrustedLedger
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.standing import next_step, next_wake
from countersign.kinds.registry import kind_named, read_content
from countersign.operations.opening import counted
from countersign.operations.refusals import stopped_by
from countersign.operations.repository import Changed
from countersign.operations.trusted_rows import CHECKED_AGAIN
from countersign.platform.threads import PAGES
from countersign.steps.names import draft_step, opening_step
from countersign.steps.records import Closed, ClosingWork, Opened, Settled, Stop, VersionWork, Wait

if TYPE_CHECKING:
    from countersign.services import Services


async def open_version(
    app: Services, work: VersionWork, *, again: bool = False
) -> Opened | Wait | Stop:
    """Offer a version for approval; the first deadline stands.

    What is stored for it may be missing or damaged. An operator can restore it, so it is waited
    for, as by every step (decision 17). So it is where the ledger can't be trusted.

    Args:
        app: the services.
        work: which version.
        again: whether the caller has read or changed the operation just now.
    """
    try:
        return await _offered(app, work, again=again)
    except UntrustedLedger:
        return Wait(news=False)


async def _offered(app: Services, work: VersionWork, *, again: bool) -> Opened | Wait | Stop:
    operations = app.operations
    known = operations.known(work.tenant, work.operation_id) if again else None
    operation = known or await operations.trusted(work.tenant, work.operation_id)
    if operation is None:
        return Stop(ends_as="failed", reason="The operation is not in the ledger.")
    if operation.proposal(work.version):
        return _opened(operation, work.version)

    async def step(operation: Operation) -> Opened | Stop:
        offer = await _offer(app, operation, work.version)
        changed = await app.operations.change(
            work.tenant,
            work.operation_id,
            lambda state, now: offering.open_proposal(state, offer, now),
            again=True,
        )
        if not isinstance(changed, Changed):
            return stopped_by(changed)
        return _opened(changed.operation, work.version)

    return await app.attempts.at(work, opening_step(work.version), step, read=operation)


async def settle_version(app: Services, work: VersionWork) -> Settled:
    """Say what the ledger holds about a version, after recording what time alone has made true.

    That is that a reminder was due, or that the version expired.
    """
    try:
        changed = await app.operations.change(
            work.tenant,
            work.operation_id,
            lambda state, now: rules.settle(state, work.version, now),
        )
    except UntrustedLedger:
        # Nobody carries out what nobody decided; it is looked at again, for it may be mended.
        return Settled(next="wait", wake_at=(app.clock() + CHECKED_AGAIN).isoformat())
    if not isinstance(changed, Changed):
        return Settled(next="close")
    step = next_step(changed.operation, work.version)
    proposal = changed.operation.proposal(work.version)
    if proposal is None or step != "wait":
        return Settled(next=step)
    wake_at = next_wake(changed.operation, proposal).isoformat()
    return Settled(next=step, wake_at=wake_at, news=app.notifier.has_news(changed.operation))


async def close_operation(app: Services, work: ClosingWork) -> Closed:
    """End an operation with what its state implies, else as is wanted; the first ending stands.

    Where its work was given up, it is left to an operator instead, if it is still wanted.

    Raises:
        RuntimeError: neither is true to its state.
    """
    outcome, reason = work.ends_as, work.reason or ""
    if work.given_up:
        result = await app.attempts.give_up(work, reason)
        if isinstance(result, Wait):
            return Closed(outcome="needs_operator", news=result.news)
        if isinstance(result, Stop):
            outcome, reason = result.ends_as, result.reason
    changed = await app.operations.change(
        work.tenant,
        work.operation_id,
        lambda state, now: rules.close(
            state, outcome, reason, now, written=kind_named(state.kind).outcome
        ),
    )
    if not isinstance(changed, Changed):
        raise RuntimeError(f"{work.operation_id} can't be closed: {changed}")
    return await closed_as(app, changed.operation)


async def closed_as(app: Services, operation: Operation) -> Closed:
    """Say as what an operation was closed; nothing of it is under way any more.

    Raises:
        RuntimeError: it was not.
    """
    if operation.closed is None:
        raise RuntimeError(f"{operation.id} is not closed")
    await app.board.clear(operation.tenant, operation.id)
    return Closed(outcome=operation.closed.outcome, news=app.notifier.has_news(operation))


def _opened(operation: Operation, version: int) -> Opened:
    return Opened(version=version, next=next_step(operation, version))


async def _offer(app: Services, operation: Operation, version: int) -> offering.Open:
    # Imported here because building its models would slow every start of the app down.
    from countersign.bodies.content import offer

    material = await _material(app, operation, version)
    offered = await read_content(app.artifacts, operation, material.content)
    before = operation.proposal(version - 1)
    corrected = None
    if before and before.correction:
        corrected = await read_content(app.artifacts, operation, before.content)
    opening = offer(
        operation,
        version,
        offered=offered,
        content=material.content,
        evidence=material.evidence,
        corrected=corrected,
    )
    return replace(opening, evidence_count=material.counted)


class _Material(NamedTuple):
    """The references of a version's content and evidence, and what the evidence comes to."""

    content: str
    evidence: str | None
    counted: EvidenceCount | None


async def _material(app: Services, operation: Operation, version: int) -> _Material:
    """Return what a version is made of: new, corrected or unchanged."""
    # A step may run twice at once: where it failed before it was done, its failure stands.
    if (step := draft_step(version)) in operation.work and not operation.unrevised:
        made = await app.workshop.result(operation, step)
        return _Material(made["content"], made["evidence"], counted(made))
    before = operation.proposals[version - 2]
    if before.correction:
        return await _corrected(app, operation, before, before.correction)
    return _Material(before.content, before.evidence, before.evidence_count)


async def _corrected(
    app: Services, operation: Operation, corrected: Proposal, correction: str
) -> _Material:
    if corrected.evidence is None:
        return _Material(correction, None, None)
    # Imported here because building its models would slow every start of the app down.
    from countersign.reports.evidence import read_evidence
    from countersign.reports.report import read_report

    evidence = await read_evidence(app.artifacts, operation.shelf, corrected.evidence)
    content = await read_report(app.artifacts, operation.shelf, correction)
    about = await PAGES.run(evidence.of_own_text, content.text)
    reference = await app.artifacts.put(operation.shelf, about.stored())
    return _Material(correction, reference, about.count())
