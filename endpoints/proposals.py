"""Look at proposals: the reviewer's inbox, and one version with its evidence."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.permissions import permissions
from countersign.approvals.person import Person
from countersign.kinds.registry import deciding_roles
from countersign.operations.summary import summarise
from countersign.services import Services
from countersign.stores.index import Page
from countersign.stores.search import WaitsFor
from endpoints.found import found
from endpoints.lookup import checked_id, readable_operation, version_in
from endpoints.parameters import CURSOR, LIMIT, OPERATION, PENDING, SINCE
from endpoints.problems import malformed
from endpoints.routes import route
from endpoints.searches import OF_WAITING, search_in

if TYPE_CHECKING:
    from endpoints.answers.operations import ProposalPage
    from endpoints.answers.version import VersionView

blueprint = func.Blueprint()


@route(
    blueprint,
    "proposals",
    "GET",
    roles=deciding_roles(),
    parameters=[PENDING, OPERATION, *OF_WAITING, LIMIT, CURSOR],
    problems=["not_found"],
)
async def list_proposals(app: Services, req: func.HttpRequest, person: Person) -> ProposalPage:
    """List the proposals that await the caller's decision and match, nearest deadline first."""
    from endpoints.answers.operations import ProposalPage

    if PENDING.of(req) not in (None, "pending"):
        raise malformed({"status": "it must be pending"})
    search = search_in(req, person, parameters=OF_WAITING, order="deadline")
    if operation_id := OPERATION.of(req):
        waiting = await _waiting_in(app, operation_id, person)
        return ProposalPage.of(waiting, len(waiting.rows))
    roles = person.roles.intersection(deciding_roles())
    waits = WaitsFor(person=person.id, roles=roles, now=app.clock())
    return ProposalPage.of(*await found(app, req, person, replace(search, waits_for=waits)))


@route(
    blueprint,
    "operations/{id}/proposals/{version}",
    "GET",
    parameters=[SINCE],
    problems=["not_authorised", "unknown_kind", "erased", "ledger_broken"],
)
async def get_proposal(app: Services, req: func.HttpRequest, person: Person) -> VersionView:
    """Get one version with its content, evidence and changes."""
    from endpoints.answers.version import version_view

    operation = await readable_operation(app, req, person)
    proposal = version_in(req, operation)
    since = _compared_with(req, operation, proposal)
    return await version_view(app, operation, proposal, person, since=since)


def _compared_with(
    request: func.HttpRequest, operation: Operation, proposal: Proposal
) -> Proposal | None:
    """Return the version that the changes are to be shown from: `since`, or else the one before.

    Raises:
        Problem: 422, `since` is no version before this one.
    """
    text = SINCE.of(request)
    if text is None:
        return operation.proposal(proposal.version - 1)
    version = int(text) if re.fullmatch(r"[1-9][0-9]{0,2}", text) else proposal.version
    if version >= proposal.version:
        raise malformed({"since": f"it must be a version before {proposal.version}"})
    return operation.proposal(version)


async def _waiting_in(app: Services, operation_id: str, person: Person) -> Page:
    """Return what of one operation waits for this person: its newest version, or nothing."""
    operation = await app.operations.load(person.tenant, checked_id(operation_id))
    if operation is None or operation.current is None:
        return Page(rows=[], cursor=None)
    newest = operation.current
    waits = permissions(operation, newest, person, app.clock()).approve is None
    return Page(rows=[summarise(operation)] if waits else [], cursor=None)
