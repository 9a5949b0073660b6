"""Decide about one version, or take the whole request back: record first, ring second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals import rules
from countersign.approvals.errors import Refusal
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.commands.deciding import record_decision
from countersign.operations.repository import Changed
from countersign.roles import DECIDING
from countersign.stores.artifacts import ArtifactError
from countersign.wiring import services
from endpoints.exchange import answer, caller, read_body
from endpoints.links import link, review_link
from endpoints.lookup import operation_of, version_in
from endpoints.problems import Problem, refused
from endpoints.proposal_views import approvals_view, changes_view, correction_view
from endpoints.routes import route
from endpoints.runtime import Delivery, ring, start_at_once

if TYPE_CHECKING:
    from countersign.purchases.order_bodies import OrderDecisionBody
    from countersign.research.report_bodies import ReportDecisionBody

MOST_DECISION_BYTES = 5_000_000
MOST_WITHDRAWAL_BYTES = 64_000

blueprint = df.Blueprint()


@route(blueprint, "operations/{id}/proposals/{version}/decision", "POST", client=True)
async def decide_proposal(
    req: func.HttpRequest, client: df.DurableOrchestrationClient
) -> func.HttpResponse:
    """Record a decision about one version and its digest, then ring that version's gate."""
    person = await caller(req, *DECIDING)
    operation = await operation_of(req, person)
    proposal = version_in(req, operation)
    body = _body(req, operation)
    decided = await _record(req, operation, proposal, person, body)
    found = decided.proposals[proposal.version - 1].decided_by(person.id)
    assert found is not None  # noqa: S101 - it was recorded just now, or before
    sequence, event = found
    receipt = {
        "operation_id": operation.id,
        "version": proposal.version,
        "decision": event.decision,
        "by": event.actor.name,
        "at": event.at.isoformat(),
        "sequence": sequence,
    }
    delivery = await _rung(client, decided, proposal.version, sequence)
    after = decided.proposals[proposal.version - 1]
    told = {"receipt": receipt, "delivery": delivery, "status": after.status}
    told["approvals"] = approvals_view(decided, after)
    if event.correction:
        told["correction"] = await correction_view(decided, after, event)
    return answer(200, told)


@route(blueprint, "operations/{id}/withdraw", "POST", client=True)
async def withdraw_operation(
    req: func.HttpRequest, client: df.DurableOrchestrationClient
) -> func.HttpResponse:
    """Take a request back before anything is written, then have whatever waits hear of it."""
    from countersign.commands.bodies import WithdrawBody

    person = await caller(req)
    operation = await operation_of(req, person)
    body = read_body(req, WithdrawBody, most_bytes=MOST_WITHDRAWAL_BYTES)
    changed = await services().operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: rules.withdraw(state, person, body.reason, now),
    )
    if not isinstance(changed, Changed):
        raise refused(changed)
    withdrawn = changed.operation.withdrawn
    assert withdrawn is not None  # noqa: S101 - it was recorded just now, or before
    if operation.hold:
        await start_at_once(client, changed.operation)
    elif current := changed.operation.current:
        await _rung(client, changed.operation, current.version, changed.operation.sequence)
    told = {"operation_id": operation.id, "state": "withdrawn", "at": withdrawn.at.isoformat()}
    return answer(200, told)


async def _rung(
    client: df.DurableOrchestrationClient, operation: Operation, version: int, sequence: int
) -> Delivery:
    # All gates of a closed operation have heard all there was to hear, and may be purged by now.
    if operation.closed:
        return "delivered"
    return await ring(client, operation.id, version, sequence)


def _body(req: func.HttpRequest, operation: Operation) -> ReportDecisionBody | OrderDecisionBody:
    from countersign.purchases.order_bodies import OrderDecisionBody
    from countersign.research.report_bodies import ReportDecisionBody

    model = ReportDecisionBody if operation.kind == "research" else OrderDecisionBody
    return read_body(req, model, most_bytes=MOST_DECISION_BYTES)


async def _record(
    req: func.HttpRequest,
    operation: Operation,
    proposal: Proposal,
    person: Person,
    body: ReportDecisionBody | OrderDecisionBody,
) -> Operation:
    changed = await record_decision(services(), operation, proposal, person, body)
    if not isinstance(changed, Changed):
        raise await _refused(req, changed, person, operation, proposal)
    return changed.operation


async def _refused(
    req: func.HttpRequest,
    refusal: Refusal,
    person: Person,
    operation: Operation,
    proposal: Proposal,
) -> Problem:
    problem = refused(refusal)
    if problem.code == "superseded":
        problem.facts.update(await _newer(req, operation.id, person, proposal))
    return problem


async def _newer(
    req: func.HttpRequest, operation_id: str, person: Person, old: Proposal
) -> dict[str, Any]:
    """Where the newest version is and what changed in it since the one that was decided about."""
    operation = await services().operations.load(person.tenant, operation_id)
    if operation is None or operation.current is None:
        return {}
    path = f"operations/{operation_id}/proposals/{operation.current.version}"
    try:
        changes = await changes_view(operation, operation.current, since=old)
    except ArtifactError:
        # The refusal is true and complete without this.
        changes = None
    shown = review_link(req, operation_id, operation.current.version)
    return {"proposal_url": link(req, path), "review_url": shown, "changes": changes}
