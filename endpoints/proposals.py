"""Look at proposals: the reviewer's inbox, and one version with its evidence."""

from __future__ import annotations

import azure.functions as func

from countersign.roles import AUDITOR, ESCALATION, REVIEWER
from countersign.wiring import services
from endpoints.exchange import answer, answered, caller
from endpoints.lookup import operation_of, version_in
from endpoints.operations import limit_in
from endpoints.problems import Problem, malformed
from endpoints.views import proposal_view, row_view

DECIDING = frozenset({REVIEWER, ESCALATION})

blueprint = func.Blueprint()


@blueprint.route(route="proposals", methods=["GET"], auth_level=func.AuthLevel.ANONYMOUS)
@answered
async def list_proposals(req: func.HttpRequest) -> func.HttpResponse:
    """What waits for a decision by the caller, the nearest deadline first."""
    person = await caller(req, *DECIDING)
    if req.params.get("status", "pending") != "pending":
        raise malformed({"status": "only pending ones can be listed"})
    app = services()
    waiting = await app.operations.index.inbox(
        person.tenant,
        roles=person.roles & DECIDING,
        person=person.id,
        now=app.clock(),
        limit=limit_in(req),
    )
    return answer(200, {"proposals": [row_view(row) for row in waiting]})


@blueprint.route(
    route="operations/{id}/proposals/{version}",
    methods=["GET"],
    auth_level=func.AuthLevel.ANONYMOUS,
)
@answered
async def get_proposal(req: func.HttpRequest) -> func.HttpResponse:
    """One version with its content, evidence and changes, for reviewers and its requester."""
    person = await caller(req)
    operation = await operation_of(req, person)
    reads = {REVIEWER, ESCALATION, AUDITOR}
    if person.id != operation.requester.id and person.roles.isdisjoint(reads):
        needs = "a reviewer's role, or to be the requester of this operation"
        raise Problem(403, "not_authorised", f"This needs {needs}.", needs=needs)
    proposal = version_in(req, operation)
    return answer(200, await proposal_view(operation, proposal, services().clock()))
