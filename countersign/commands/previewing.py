"""What would become of a decision, told before anybody records it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from countersign.approvals import offering, rules
from countersign.approvals.errors import Refusal
from countersign.approvals.folding import evolve
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.permissions import as_signed
from countersign.approvals.policy import MAX_VERSIONS
from countersign.commands.deciding import Prepared

if TYPE_CHECKING:
    from datetime import datetime

    from countersign.bodies.content import Content


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """An operation as it would be after a decision.

    Attributes:
        operation: the state that the decision would lead to.
        proposal: the version that is decided about.
        following: the version that a correction would become; None where nothing follows.
    """

    operation: Operation
    proposal: Proposal
    following: Proposal | None = None


def preview(
    operation: Operation,
    version: int,
    prepared: Prepared,
    offered: Content,
    now: datetime,
) -> Preview | Refusal:
    """Return what the rules make of a decision, and of the version that follows on a correction.

    Args:
        operation: the state.
        version: the version that is decided about (from 1).
        prepared: the decision.
        offered: the content of that version.
        now: the moment (UTC).
    """
    command = as_signed(operation, prepared.command)
    answer = rules.decide(operation, command, now)
    if not isinstance(answer, tuple):
        return answer
    after = reduce(evolve, answer, operation)
    if prepared.corrected and version < MAX_VERSIONS:
        after = _followed(after, version, prepared, offered, now)
    return Preview(
        operation=after,
        proposal=after.proposals[version - 1],
        following=after.proposal(version + 1),
    )


def _followed(
    operation: Operation, version: int, prepared: Prepared, offered: Content, now: datetime
) -> Operation:
    """Return the operation with the version that a correction becomes, unless it takes no more."""
    # Imported here because building its models would slow every start of the app down.
    from countersign.bodies.content import offer

    assert prepared.corrected and prepared.command.correction  # noqa: S101, PT018 - it is one
    command = offer(
        operation,
        version + 1,
        offered=prepared.corrected,
        content=prepared.command.correction,
        evidence=operation.proposals[version - 1].evidence,
        corrected=offered,
    )
    opened = offering.open_proposal(operation, command, now)
    # A correction that was recorded before may have been followed by the end of it all.
    return reduce(evolve, opened, operation) if isinstance(opened, tuple) else operation
