"""A reviewer's comments on passages on their way into the ledger, before anybody decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from countersign.approvals.commenting import AddComments, add_comments
from countersign.approvals.digest import sha256
from countersign.approvals.errors import Invalid, Refusal
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.kinds.registry import kind_named, read_content
from countersign.operations.repository import Changed

if TYPE_CHECKING:
    from countersign.reports.comments import PassageComment
    from countersign.reports.report_bodies import CommentsBody
    from countersign.services import Services


async def record_comments(
    app: Services, operation: Operation, proposal: Proposal, person: Person, body: CommentsBody
) -> Changed | Refusal:
    """Record what somebody says about passages, without what they have said before.

    Raises:
        ArtifactError: what is commented on, or what was said about it, can't be read back.
        UnknownKind: nobody registered the kind of the operation.
    """
    from countersign.reports.comments import ReviewComments

    new = await _new_ones(app, operation, proposal, person, body)
    stored = ReviewComments(comments=new).stored()
    command = AddComments(
        reviewer=person,
        version=proposal.version,
        digest=body.digest,
        comments=sha256(stored),
        count=len(new),
    )
    allowed = add_comments(operation, replace(command, count=max(1, len(new))), app.clock())
    if not isinstance(allowed, tuple):
        return allowed
    if not new or not allowed:
        return Changed(operation=operation, events=())
    if fields := await _misquoted(app, operation, proposal, body):
        return Invalid(fields=fields)
    await app.artifacts.put(operation.shelf, stored)
    return await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: add_comments(state, command, now),
        by=person,
        again=True,
    )


async def _new_ones(
    app: Services, operation: Operation, proposal: Proposal, person: Person, body: CommentsBody
) -> list[PassageComment]:
    from countersign.reports.comments import read_comments

    said = [
        comment
        for each in proposal.added
        if each.actor.id == person.id
        for comment in await read_comments(app.artifacts, operation.shelf, each.comments)
    ]
    return [each for each in dict.fromkeys(body.comments) if each not in said]


async def _misquoted(
    app: Services, operation: Operation, proposal: Proposal, body: CommentsBody
) -> Mapping[str, str]:
    content = await read_content(app.artifacts, operation, proposal.content)
    return await kind_named(operation.kind).misquoted(body, content)
