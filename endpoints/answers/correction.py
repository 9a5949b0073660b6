"""What follows from a reviewer's correction, as the API shows it."""

from __future__ import annotations

from collections.abc import Sequence

from countersign.approvals.events import DecisionRecorded
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.policy import MAX_VERSIONS
from countersign.kinds.registry import read_content
from countersign.stores.artifacts import Artifacts
from endpoints.answers.approvals import names_of
from endpoints.answers.response_body import ResponseBody


class CorrectionView(ResponseBody):
    """In what a reviewer's correction goes beyond the version that it corrects, and what follows.

    `rule`: who can't be the only one to approve the corrected version, null if anybody can.
    """

    widened: list[str]
    rule: str | None


async def correction_view(
    artifacts: Artifacts, operation: Operation, proposal: Proposal, decision: DecisionRecorded
) -> CorrectionView:
    """Return what a recorded correction goes beyond the corrected version in, and what follows."""
    old = await read_content(artifacts, operation, proposal.content)
    new = await read_content(artifacts, operation, decision.correction or "")
    widened = list(new.widening(old))
    return CorrectionView(widened=widened, rule=rule_for(operation, proposal, decision, widened))


def rule_for(
    operation: Operation, proposal: Proposal, decision: DecisionRecorded, widened: Sequence[str]
) -> str | None:
    """Return who can't be the only approver of a corrected version, as a sentence, or None.

    Args:
        operation: the state after the correction.
        proposal: the version that is corrected.
        decision: the correction.
        widened: in what it goes beyond the version.
    """
    correctors = {*proposal.correctors, *([decision.actor.id] if widened else [])}
    if not correctors or proposal.version == MAX_VERSIONS:
        return None
    names = " or ".join(names_of(operation, tuple(sorted(correctors))))
    return f"{names} can't be the only one to approve the corrected version."
