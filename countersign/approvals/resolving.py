"""How a comment on a passage is resolved once the next version has answered it: by a person."""

from __future__ import annotations

from datetime import datetime

from countersign.approvals.errors import NotAuthorised, NotFound, OwnRequest, PeopleOnly, Refusal
from countersign.approvals.events import CommentResolved
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import ended


def resolve(
    operation: Operation, person: Person, version: int, comment: int, now: datetime
) -> Ruling:
    """Resolve a comment, by its number (from 1); whoever can be asked to decide may do that.

    It decides nothing: a version can be approved whatever is resolved.
    """
    proposal = operation.proposal(version)
    if person.tenant != operation.tenant or proposal is None:
        return NotFound()
    if proposal.status != "superseded" or not proposal.commented:
        return NotFound()
    if refusal := _may_not_resolve(operation, person):
        return refusal
    if comment in proposal.resolved:
        return ()
    return ended(operation) or (
        CommentResolved(at=now, actor=person.actor, version=version, comment=comment),
    )


def _may_not_resolve(operation: Operation, person: Person) -> Refusal | None:
    if person.program:
        return PeopleOnly()
    policy = operation.policy
    roles = dict.fromkeys(filter(None, (policy.reviewer_role, policy.escalation_role)))
    if person.roles.isdisjoint(roles):
        return NotAuthorised(needs=f"the role {' or '.join(roles)}")
    return OwnRequest() if person.id == operation.requester.id else None
