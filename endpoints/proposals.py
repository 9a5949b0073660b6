"""Look at proposals: the reviewer's inbox, and one version with its evidence."""

from __future__ import annotations

import re
from typing import Any

import azure.functions as func

from countersign.approvals import rules
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.operations.summary import summarise
from countersign.roles import DECIDING
from countersign.stores.index import BadCursor
from countersign.wiring import services
from endpoints.exchange import answer, caller, query
from endpoints.lookup import checked_id, operation_of, refuse_stranger, version_in
from endpoints.operations import limit_in
from endpoints.problems import malformed
from endpoints.proposal_views import proposal_view
from endpoints.routes import route
from endpoints.views import row_view

blueprint = func.Blueprint()


@route(blueprint, "proposals", "GET")
async def list_proposals(req: func.HttpRequest) -> func.HttpResponse:
    """What waits for a decision by the caller, the nearest deadline first."""
    person = await caller(req, *DECIDING)
    if query(req, "status") not in (None, "pending"):
        raise malformed({"status": "only pending ones can be listed"})
    if operation_id := query(req, "operation"):
        rows = await _waiting_in(operation_id, person)
        return answer(200, {"proposals": rows, "cursor": None})
    app = services()
    try:
        page = await app.operations.index.inbox(
            person.tenant,
            roles=person.roles.intersection(DECIDING),
            person=person.id,
            now=app.clock(),
            limit=limit_in(req),
            cursor=query(req, "cursor"),
        )
    except BadCursor as error:
        raise malformed({"cursor": "not one that this list gave out"}) from error
    rows = [row_view(row) for row in page.rows]
    return answer(200, {"proposals": rows, "cursor": page.cursor})


@route(blueprint, "operations/{id}/proposals/{version}", "GET")
async def get_proposal(req: func.HttpRequest) -> func.HttpResponse:
    """One version with its content, evidence and changes, for reviewers and its requester."""
    person = await caller(req)
    operation = await operation_of(req, person)
    refuse_stranger(person, operation)
    proposal = version_in(req, operation)
    since = _compared_with(req, operation, proposal)
    return answer(200, await proposal_view(operation, proposal, services().clock(), since=since))


def _compared_with(
    request: func.HttpRequest, operation: Operation, proposal: Proposal
) -> Proposal | None:
    """The version that the changes are to be shown from: `since`, or else the one before.

    Raises:
        Problem: 422, `since` is no version before this one.
    """
    text = query(request, "since")
    if text is None:
        return operation.proposal(proposal.version - 1)
    version = int(text) if re.fullmatch(r"[1-9][0-9]{0,2}", text) else proposal.version
    if version >= proposal.version:
        raise malformed({"since": f"a version before {proposal.version}"})
    return operation.proposal(version)


async def _waiting_in(operation_id: str, person: Person) -> list[dict[str, Any]]:
    """What of one operation waits for this person: its newest version, or nothing."""
    app = services()
    operation = await app.operations.load(person.tenant, checked_id(operation_id))
    if operation is None or operation.current is None:
        return []
    newest = operation.current
    approval = rules.Decide(
        reviewer=person, version=newest.version, digest=newest.digest, decision="approve"
    )
    would_record = rules.decide(operation, approval, app.clock())
    waits = isinstance(would_record, tuple) and bool(would_record)
    return [row_view(summarise(operation))] if waits else []
