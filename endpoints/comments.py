"""Resolve what a reviewer said about a passage, once the next version has answered it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.person import Person
from countersign.approvals.resolving import resolve
from countersign.operations.repository import Changed
from countersign.services import Services
from endpoints.lookup import number_in, readable_operation, version_in
from endpoints.problems import refused
from endpoints.routes import route

if TYPE_CHECKING:
    from endpoints.answers.comments import ResolvedComment

blueprint = func.Blueprint()


@route(
    blueprint,
    "operations/{id}/proposals/{version}/comments/{comment}/resolve",
    "POST",
    statuses={200: "Recorded, or resolved before."},
    problems=[
        "not_authorised",
        "own_request",
        "people_only",
        "erased",
        "already_decided",
        "ledger_broken",
    ],
)
async def resolve_comment(app: Services, req: func.HttpRequest, person: Person) -> ResolvedComment:
    """Resolve a comment on a passage of a version; that decides nothing about any version."""
    from countersign.reports.comments import read_comments
    from endpoints.answers.comments import ResolvedComment

    operation = await readable_operation(app, req, person)
    proposal = version_in(req, operation)
    comments = await read_comments(app.artifacts, operation.shelf, proposal.comments)
    comment = number_in(req, "comment", len(comments))
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: resolve(state, person, proposal.version, comment, now),
        by=person,
    )
    if not isinstance(changed, Changed):
        raise refused(changed)
    resolved = changed.operation.proposals[proposal.version - 1].resolved[comment]
    return ResolvedComment.of(changed.operation, resolved)
