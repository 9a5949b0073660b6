"""Comments on passages of a version, with what became of them."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import NamedTuple

from countersign.approvals.events import CommentResolved
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.permissions import may_resolve
from countersign.approvals.person import Actor, Person
from countersign.reports.comments import CommentAnswer, PassageComment, read_comments
from countersign.reports.evidence import read_evidence
from countersign.stores.artifacts import Artifacts
from endpoints.answers.may import Permission, permission
from endpoints.answers.response_body import Moment, ResponseBody


class WriterAnswer(ResponseBody):
    """What the writer of a version says of a comment on the one before it."""

    done: bool
    reason: str


class ResolvedView(ResponseBody):
    """Who resolved a comment, and when."""

    by: str
    at: Moment


class SaidComment(NamedTuple):
    """A comment, with who gave it and when."""

    comment: PassageComment
    by: Actor
    at: datetime


class CommentView(ResponseBody):
    """A comment on a passage of a version, by its number (from 1).

    `quote` is the passage as readers see it, with single blanks, and `start` the characters before
    it in the text as it is shown, counted that way too. `suggestion` is what the reviewer would
    have there. `answer` is null until the next version answers it. `may_resolve`: whether the
    caller may resolve it.
    """

    version: int
    number: int
    by: str
    at: Moment
    quote: str
    start: int
    comment: str
    suggestion: str | None
    answer: WriterAnswer | None
    resolved: ResolvedView | None
    may_resolve: Permission

    @classmethod
    def of(
        cls,
        proposal: Proposal,
        number: int,
        said: SaidComment,
        answer: CommentAnswer | None,
        may_resolve: Permission,
    ) -> CommentView:
        """Return a comment on a version, with its answer if there is one."""
        comment, resolved = said.comment, proposal.resolved.get(number)
        return cls(
            version=proposal.version,
            number=number,
            by=said.by.name,
            at=said.at,
            quote=comment.quote,
            start=comment.start,
            comment=comment.comment,
            suggestion=comment.suggestion,
            answer=WriterAnswer(done=answer.done, reason=answer.reason) if answer else None,
            resolved=ResolvedView(by=resolved.actor.name, at=resolved.at) if resolved else None,
            may_resolve=may_resolve,
        )


class AddedComments(ResponseBody):
    """The comments on a version after some were added, and those on the version before."""

    operation_id: str
    version: int
    comments: list[CommentView]


class ResolvedComment(ResponseBody):
    """That a comment is resolved; resolving it again gets the same answer."""

    operation_id: str
    version: int
    comment: int
    by: str
    at: Moment

    @classmethod
    def of(cls, operation: Operation, event: CommentResolved) -> ResolvedComment:
        """Return who resolved a comment first."""
        return cls(
            operation_id=operation.id,
            version=event.version,
            comment=event.comment,
            by=event.actor.name,
            at=event.at,
        )


async def comments_about(
    artifacts: Artifacts, operation: Operation, proposal: Proposal, person: Person, now: datetime
) -> list[CommentView]:
    """Return the comments on the version before, which this one answers, and those on this one."""
    before = operation.proposal(proposal.version - 1)
    found = [
        await _comments_on(artifacts, operation, each, person, now)
        for each in (before, proposal)
        if each
    ]
    return [comment for comments in found for comment in comments]


async def _comments_on(
    artifacts: Artifacts, operation: Operation, proposal: Proposal, person: Person, now: datetime
) -> list[CommentView]:
    if not proposal.commented:
        return []
    comments, answers = await asyncio.gather(
        said_about(artifacts, operation, proposal),
        _answers(artifacts, operation, proposal.version + 1),
    )
    return [
        CommentView.of(
            proposal,
            number,
            comment,
            answers.get(number),
            permission(may_resolve(operation, person, proposal.version, number, now)),
        )
        for number, comment in enumerate(comments, start=1)
    ]


async def said_about(
    artifacts: Artifacts, operation: Operation, proposal: Proposal
) -> list[SaidComment]:
    """Return all comments on passages of a version, in the order of their numbers."""
    return [
        SaidComment(comment, by, at)
        for reference, by, at in proposal.commented
        for comment in await read_comments(artifacts, operation.shelf, reference)
    ]


async def _answers(
    artifacts: Artifacts, operation: Operation, version: int
) -> dict[int, CommentAnswer]:
    proposal = operation.proposal(version)
    if proposal is None or proposal.origin != "revision" or proposal.evidence is None:
        return {}
    evidence = await read_evidence(artifacts, operation.shelf, proposal.evidence)
    return {each.comment: each for each in evidence.answers}
