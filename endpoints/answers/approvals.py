"""What it takes to approve a version, as the API shows it."""

from __future__ import annotations

from collections.abc import Sequence

from countersign.approvals.operation import Operation
from countersign.approvals.proposal import Proposal
from countersign.approvals.quorum import missing_role, still_needed
from countersign.operations.names import names_in
from countersign.platform.counted import counted
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

    `total` is how many people have to approve in all. `needed` is who has to approve yet, at the
    least; nobody once it is decided. `missing_role` is
    the role in which another person has to approve, null if nobody has to or can any more, and
    `missing` says in a sentence who all have to. None of the `correctors`, who corrected it or
    asked for its changes, can be the only one to approve.
    """

    total: int
    quorum: int
    countersigner_role: str | None
    by: list[Approver]
    missing_role: str | None
    missing: str | None
    needed: list[NeededApproval]
    correctors: list[str]

    @classmethod
    def of(cls, operation: Operation, proposal: Proposal) -> Approvals:
        """Return what it takes to approve a version of an operation."""
        pending = proposal.status == "pending"
        missing = missing_role(proposal, proposal.approvals) if pending else None
        names = names_in(operation)
        needed = _needed(proposal) if pending else []
        more = sum(each.count for each in needed)
        return cls(
            total=max(len(proposal.approvals) + more, _asked(proposal)),
            quorum=proposal.quorum,
            countersigner_role=proposal.countersigner_role,
            by=[
                Approver(name=names[event.actor.id], roles=list(proposal.approvals[event.actor.id]))
                for _, event in proposal.standing
                if proposal.counts(event)
            ],
            missing_role=missing,
            missing=_missing(operation, proposal, needed, missing) if missing else None,
            needed=needed,
            correctors=names_of(operation, proposal.correctors),
        )


def _needed(proposal: Proposal) -> list[NeededApproval]:
    needed = still_needed(proposal, proposal.approvals)
    return [NeededApproval(count=each.count, roles=list(each.roles)) for each in needed]


def names_of(operation: Operation, people: tuple[str, ...]) -> list[str]:
    """Return what those are called who commented on or decided about some version, by their ids."""
    names = names_in(operation)
    return [names[person] for person in people]


def _asked(proposal: Proposal) -> int:
    """Return how many people are asked to approve, unless one of them corrected it."""
    return proposal.quorum + (1 if proposal.countersigner_role else 0)


def _missing(
    operation: Operation, proposal: Proposal, needed: Sequence[NeededApproval], role: str
) -> str:
    if len(proposal.approvals) == _asked(proposal) == 1:
        [corrector] = names_of(operation, tuple(proposal.approvers))
        return (
            f"{corrector} corrected this or asked for its changes, so somebody else has to approve"
            f" it too, as {role}."
        )
    return f"Still to approve: {' and '.join(map(_people, needed))}."


def _people(needed: NeededApproval) -> str:
    return f"{counted(needed.count, 'person', 'people')} as {' or '.join(needed.roles)}"
