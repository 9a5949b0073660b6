"""Whether enough different people, each in a role that was asked, have approved a version."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from countersign.approvals.proposal import Proposal


@dataclass(frozen=True, kw_only=True, slots=True)
class Needed:
    """So many more people who have to approve, each in one of these roles."""

    count: int
    roles: tuple[str, ...]


def missing_role(proposal: Proposal, approvals: Mapping[str, Collection[str]]) -> str | None:
    """Return the role in which a version lacks an approval; None if it lacks none.

    Nobody counts twice: whoever approved in both roles leaves one of them to somebody else. And
    four eyes: nobody is the only one to approve what holds their own correction or wish.

    Args:
        proposal: the version.
        approvals: who approved it, by id, and in which roles.
    """
    first, second = proposal.required_role, proposal.countersigner_role
    alone = any(approvals.keys() <= {person} for person in proposal.correctors)
    if _in_first(proposal, approvals) < proposal.quorum:
        return first
    if second and not any(second in roles for roles in approvals.values()):
        return second
    people = proposal.quorum + (1 if second else 0)
    return first if alone or len(approvals) < people else None


def still_needed(
    proposal: Proposal, approvals: Mapping[str, Collection[str]]
) -> tuple[Needed, ...]:
    """Return who has to approve a version yet, at the least; nobody if it has all that it takes.

    Args:
        proposal: the version.
        approvals: who approved it, by id, and in which roles.
    """
    first, second = proposal.first_roles, proposal.countersigner_role
    in_first = max(0, proposal.quorum - _in_first(proposal, approvals))
    in_second = int(second is not None and not any(second in each for each in approvals.values()))
    total = proposal.quorum + (1 if second else 0)
    more = max(total - len(approvals), int(missing_role(proposal, approvals) is not None))
    in_either = max(0, more - in_first - in_second)
    needed = (
        Needed(count=in_first, roles=first),
        Needed(count=in_second, roles=(second,) if second else first),
        Needed(count=in_either, roles=proposal.asked_roles),
    )
    return tuple(each for each in needed if each.count)


def _in_first(proposal: Proposal, approvals: Mapping[str, Collection[str]]) -> int:
    """Return how many approved in a role of which the quorum is asked."""
    return sum(not set(proposal.first_roles).isdisjoint(roles) for roles in approvals.values())
