"""What it takes to approve a version, as the API shows it."""

from __future__ import annotations

from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.quorum import missing_role, still_needed
from endpoints.answers.response_body import ResponseBody


class Approver(ResponseBody):
    """Somebody who approved a version, with the asked roles that they have."""

    name: str
    roles: list[str]


class NeededApproval(ResponseBody):
    """So many more people who have to approve, each in one of these roles."""

    count: int
    roles: list[str]


class Approvals(ResponseBody):
    """What it takes to approve a version, what of it there is, and what is missing.

    `needed` is who has to approve yet, at the least; nobody once it is decided. `missing_role` is
    the role in which another person has to approve, null if nobody has to or can any more, and
    `missing` says in a sentence who all have to. None of the `correctors` can be the only one to
    approve.
    """

    quorum: int
    countersigner_role: str | None
    by: list[Approver]
    missing_role: str | None
    missing: str | None
    needed: list[NeededApproval]
    correctors: list[str]

    @classmethod
    def of(cls, operation: Operation, proposal: Proposal) -> Approvals:
        """What it takes to approve a version of an operation."""
        pending = proposal.status == "pending"
        missing = missing_role(proposal, proposal.approvals) if pending else None
        return cls(
            quorum=proposal.quorum,
            countersigner_role=proposal.countersigner_role,
            by=[
                Approver(name=event.actor.name, roles=list(proposal.approvals[event.actor.id]))
                for _, event in proposal.decisions
                if event.decision == "approve"
            ],
            missing_role=missing,
            missing=_missing(operation, proposal, missing) if missing else None,
            needed=_needed(proposal) if pending else [],
            correctors=names_of(operation, proposal.correctors),
        )


def _needed(proposal: Proposal) -> list[NeededApproval]:
    needed = still_needed(proposal, proposal.approvals)
    return [NeededApproval(count=each.count, roles=list(each.roles)) for each in needed]


def names_of(operation: Operation, people: tuple[str, ...]) -> list[str]:
    """What those are called who decided about some version of an operation, by their ids."""
    deciders = {
        event.actor.id: event.actor.name
        for proposal in operation.proposals
        for _, event in proposal.decisions
    }
    return [deciders[person] for person in people]


def _missing(operation: Operation, proposal: Proposal, role: str) -> str:
    first, second = proposal.required_role, proposal.countersigner_role
    signed = proposal.approvals.values()
    left = proposal.quorum - sum(first in roles for roles in signed)
    missing = [_people(left, first)] if left > 0 else []
    if second and not any(second in roles for roles in signed):
        missing.append(_people(1, second))
    if missing:
        return f"Still to approve: {' and '.join(missing)}."
    if second:
        return f"Still to approve: 1 more person as {first} or {second}."
    [corrector] = names_of(operation, tuple(proposal.approvers))
    return f"{corrector} corrected this, so somebody else has to approve it too, as {role}."


def _people(count: int, role: str) -> str:
    return f"{count} {'person' if count == 1 else 'people'} as {role}"
