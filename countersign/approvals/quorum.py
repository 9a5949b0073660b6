"""Whether enough different people, each in a role that was asked, have approved a version."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from countersign.approvals.operation import Proposal


def missing_role(proposal: Proposal, approvals: Mapping[str, Collection[str]]) -> str | None:
    """The role in which a version lacks an approval; None if it has all that it takes.

    Nobody counts twice: whoever approved in both roles leaves one of them to somebody else. And
    four eyes: nobody is the only one to approve what holds their own correction.

    Args:
        proposal: the version.
        approvals: who approved it, by id, and in which roles.
    """
    first, second = proposal.required_role, proposal.countersigner_role
    approving = {person for person, roles in approvals.items() if first in roles}
    alone = any(approvals.keys() <= {person} for person in proposal.correctors)
    if len(approving) < proposal.quorum or alone:
        return first
    if second is None:
        return None
    if not any(second in roles for roles in approvals.values()):
        return second
    return first if len(approvals) <= proposal.quorum else None
