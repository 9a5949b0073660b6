"""What reviewers say about passages of a version before somebody decides; it decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from countersign.approvals.errors import DigestMismatch, Invalid, NotFound, Refusal
from countersign.approvals.events import CommentsAdded
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.proposal import Proposal
from countersign.approvals.rules import Ruling, may_not_decide
from countersign.approvals.standing import too_late

MOST_ADDED = 100
"""Comments on one version that are added before a decision, of all its reviewers together."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AddComments:
    """So many comments of a reviewer's on one version, which `comments` refers to."""

    reviewer: Person
    version: int
    digest: str
    comments: str
    count: int


def add_comments(operation: Operation, command: AddComments, now: datetime) -> Ruling:
    """Record comments while a version waits; the same ones by the same person again are none.

    Whoever may decide about the version may comment on it.
    """
    person, proposal = command.reviewer, operation.proposal(command.version)
    if proposal is None or person.tenant != operation.tenant:
        return NotFound()
    if refusal := may_not_decide(operation, proposal, person):
        return refusal
    if any(
        (each.actor.id, each.comments) == (person.id, command.comments) for each in proposal.added
    ):
        return ()
    return (
        too_late(operation, proposal, now)
        or _unfit(operation, proposal, command)
        or (
            CommentsAdded(
                at=now,
                actor=person.actor,
                version=command.version,
                digest=command.digest,
                comments=command.comments,
                count=command.count,
            ),
        )
    )


def _unfit(operation: Operation, proposal: Proposal, command: AddComments) -> Refusal | None:
    if command.digest != proposal.digest:
        return DigestMismatch(current=proposal.digest)
    if not operation.policy.has_team:
        return Invalid(fields={"comments": "there is no team that could answer comments"})
    if sum(each.count for each in proposal.added) + command.count > MOST_ADDED:
        reason = (
            f"a version takes {MOST_ADDED} comments before a decision, of all reviewers together"
        )
        return Invalid(fields={"comments": reason})
    return None
