"""Resolve what a reviewer said about a passage, once the next version has answered it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.proposal import Proposal
from countersign.approvals.resolving import resolve
from countersign.operations.repository import Changed
from countersign.services import Services
from endpoints.lookup import operation_of, refuse_stranger, version_in
from endpoints.problems import not_found, refused
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
    from endpoints.answers.comments import ResolvedComment

    operation = await operation_of(app, req, person)
    refuse_stranger(person, operation)
    proposal = version_in(req, operation)
    comment = await _comment_in(app, req, operation, proposal)
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


async def _comment_in(
    app: Services, req: func.HttpRequest, operation: Operation, proposal: Proposal
) -> int:
    """Return the number in the path.

    Raises:
        Problem: 404, the version has no such comment.
    """
    from countersign.reports.comments import read_comments

    text = req.route_params.get("comment", "")
    number = int(text) if re.fullmatch(r"[1-9][0-9]{0,2}", text) else 0
    comments = await read_comments(app.artifacts, operation.shelf, proposal.comments)
    if not 1 <= number <= len(comments):
        raise not_found("comment")
    return number
