"""Comment on passages of a version, and resolve what the next version has answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.person import Person
from countersign.approvals.resolving import resolve
from countersign.commands.commenting import record_comments
from countersign.kinds.registry import deciding_roles
from countersign.operations.repository import Changed
from countersign.services import Services
from endpoints.lookup import number_in, operation_of, readable_operation, version_in
from endpoints.problems import refused
from endpoints.routes import route
from endpoints.sent import Sent

if TYPE_CHECKING:
    from countersign.reports.report_bodies import CommentsBody
    from endpoints.answers.comments import AddedComments, ResolvedComment

MOST_BYTES = 5_000_000

blueprint = func.Blueprint()


@route(
    blueprint,
    "operations/{id}/proposals/{version}/comments",
    "POST",
    roles=deciding_roles(),
    statuses={200: "Recorded. What you had said before is not recorded again."},
    problems=[
        "own_request",
        "people_only",
        "already_decided",
        "superseded",
        "digest_mismatch",
        "expired",
        "unknown_kind",
        "ledger_broken",
        "erased",
    ],
)
async def add_comments(
    app: Services, req: func.HttpRequest, person: Person, sent: Sent[CommentsBody]
) -> AddedComments:
    """Comment on passages of a version that waits for a decision; that decides nothing."""
    from countersign.reports.report_bodies import CommentsBody
    from endpoints.answers.comments import AddedComments, comments_about

    operation = await operation_of(app, req, person)
    proposal = version_in(req, operation)
    body = sent.read(CommentsBody, most_bytes=MOST_BYTES)
    changed = await record_comments(app, operation, proposal, person, body)
    if not isinstance(changed, Changed):
        raise refused(changed)
    after = changed.operation.proposals[proposal.version - 1]
    comments = await comments_about(app.artifacts, changed.operation, after, person, app.clock())
    return AddedComments(operation_id=operation.id, version=after.version, comments=comments)


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
    from endpoints.answers.comments import ResolvedComment, said_about

    operation = await readable_operation(app, req, person)
    proposal = version_in(req, operation)
    comments = await said_about(app.artifacts, operation, proposal)
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
