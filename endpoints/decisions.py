"""Decide about one version, or take the whole request back: record first, ring second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals import rules
from countersign.approvals.errors import Refusal
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.commands.deciding import Prepared, prepare_decision, record_decision
from countersign.commands.previewing import Preview, preview
from countersign.kinds.registry import deciding_roles, kind_named, read_content
from countersign.operations.repository import Changed
from countersign.services import Services
from countersign.stores.artifacts import ArtifactError
from endpoints.links import link, review_link
from endpoints.lookup import operation_of, version_in
from endpoints.problems import Problem, refused
from endpoints.routes import route
from endpoints.runtime import EventDelivery, go_on, ring
from endpoints.sent import Sent

if TYPE_CHECKING:
    from countersign.bodies.body import WithdrawBody
    from countersign.kinds.unions import AnyDecisionBody
    from endpoints.answers.decisions import Decided, TakenBack
    from endpoints.answers.operations import Withdrawn
    from endpoints.answers.preview import DecisionPreview

MOST_DECISION_BYTES = 5_000_000
MOST_WITHDRAWAL_BYTES = 64_000

blueprint = df.Blueprint()


REFUSALS = (
    "own_request",
    "people_only",
    "passkey_required",
    "passkey_refused",
    "already_decided",
    "superseded",
    "digest_mismatch",
    "expired",
    "last_version",
    "unknown_kind",
    "ledger_broken",
    "erased",
)
"""Why a decision can't count."""


@route(
    blueprint,
    "operations/{id}/proposals/{version}/decision",
    "POST",
    roles=deciding_roles(),
    statuses={200: "Recorded. Repeating the decision returns the first receipt."},
    problems=REFUSALS,
)
async def decide_proposal(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    sent: Sent[AnyDecisionBody],
    client: df.DurableOrchestrationClient,
) -> Decided:
    """Decide on one version, which the body identifies by its digest."""
    from endpoints.answers.decisions import Decided

    operation = await operation_of(app, req, person)
    proposal = version_in(req, operation)
    body = sent.read(kind_named(operation.kind).decision_body(), most_bytes=MOST_DECISION_BYTES)
    changed = await record_decision(app, operation, proposal, person, body)
    if not isinstance(changed, Changed):
        raise await _refused(app, req, changed, person, proposal)
    after = changed.operation.proposals[proposal.version - 1]
    recorded = after.decided_by(person.id)
    assert recorded is not None  # noqa: S101 - it was recorded just now, or before
    delivery = await _rung(client, changed.operation, after.version)
    return await Decided.of(app, changed.operation, after, recorded, delivery)


@route(
    blueprint,
    "operations/{id}/proposals/{version}/take-back",
    "POST",
    statuses={200: "Recorded, or taken back before."},
    problems=[
        "not_authorised",
        "people_only",
        "erased",
        "already_decided",
        "superseded",
        "expired",
        "ledger_broken",
    ],
)
async def take_back_approval(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    client: df.DurableOrchestrationClient,
) -> TakenBack:
    """Take an own approval back, as long as the version waits for other people."""
    from endpoints.answers.decisions import TakenBack

    operation = await operation_of(app, req, person)
    version = version_in(req, operation).version
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: rules.take_back(state, person, version, now),
        by=person,
    )
    if not isinstance(changed, Changed):
        raise refused(changed)
    after = changed.operation.proposals[version - 1]
    [*_, event] = (each for each in after.taken_back.values() if each.actor.id == person.id)
    delivery = await _rung(client, changed.operation, version)
    return TakenBack.of(changed.operation, after, event, delivery)


@route(
    blueprint,
    "operations/{id}/proposals/{version}/preview",
    "POST",
    roles=deciding_roles(),
    problems=REFUSALS,
)
async def preview_decision(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    sent: Sent[AnyDecisionBody],
) -> DecisionPreview:
    """Preview the effect of a decision without recording it."""
    from endpoints.answers.preview import DecisionPreview

    operation = await operation_of(app, req, person)
    proposal = version_in(req, operation)
    body = sent.read(kind_named(operation.kind).decision_body(), most_bytes=MOST_DECISION_BYTES)
    prepared = await prepare_decision(app, operation, proposal, person, body)
    if not isinstance(prepared, Prepared):
        raise await _refused(app, req, prepared, person, proposal)
    offered = await read_content(app.artifacts, operation, proposal.content)
    seen = preview(operation, proposal.version, prepared, offered, app.clock())
    if not isinstance(seen, Preview):
        raise await _refused(app, req, seen, person, proposal)
    return await DecisionPreview.of(seen, prepared, person, offered)


@route(
    blueprint,
    "operations/{id}/withdraw",
    "POST",
    problems=["not_authorised", "already_decided", "expired", "ledger_broken"],
)
async def withdraw_operation(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    sent: Sent[WithdrawBody],
    client: df.DurableOrchestrationClient,
) -> Withdrawn:
    """Withdraw a request before anything is written."""
    from countersign.bodies.body import WithdrawBody
    from endpoints.answers.operations import Withdrawn

    operation = await operation_of(app, req, person)
    body = sent.read(WithdrawBody, most_bytes=MOST_WITHDRAWAL_BYTES)
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: rules.withdraw(state, person, body.reason, now),
        by=person,
    )
    if not isinstance(changed, Changed):
        raise refused(changed)
    withdrawn = changed.operation.withdrawn
    assert withdrawn is not None  # noqa: S101 - it was recorded just now, or before
    await go_on(client, changed.operation)
    return Withdrawn(operation_id=operation.id, state="withdrawn", at=withdrawn.at)


async def _rung(
    client: df.DurableOrchestrationClient, operation: Operation, version: int
) -> EventDelivery:
    # All gates of a closed operation have heard all there was to hear, and may be purged by now.
    if operation.closed:
        return "delivered"
    return await ring(client, operation, version)


async def _refused(
    app: Services, req: func.HttpRequest, refusal: Refusal, person: Person, proposal: Proposal
) -> Problem:
    problem = refused(refusal)
    if problem.code == "superseded":
        problem.facts.update(await _newer(app, req, person, proposal))
    return problem


async def _newer(
    app: Services, req: func.HttpRequest, person: Person, old: Proposal
) -> dict[str, Any]:
    """Return the newest version's address and what changed since the version decided on."""
    from endpoints.answers.version import changes_view

    operation = await operation_of(app, req, person)
    newest = operation.current
    assert newest is not None  # noqa: S101 - it has taken the place of another
    try:
        changes = await changes_view(app.artifacts, operation, newest, since=old)
    except ArtifactError:
        # The refusal is true and complete without this.
        changes = None
    path = f"operations/{operation.id}/proposals/{newest.version}"
    shown = review_link(app, req, operation.id, newest.version)
    return {"proposal_url": link(app, req, path), "review_url": shown, "changes": changes}
