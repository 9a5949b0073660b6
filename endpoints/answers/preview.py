"""What would become of a decision, as the API tells it beforehand."""

from __future__ import annotations

from countersign.approvals.events import Decision
from countersign.approvals.person import Person
from countersign.approvals.proposal import Status
from countersign.bodies.content import Content
from countersign.commands.deciding import Prepared
from countersign.commands.previewing import Preview
from countersign.kinds.registry import kind_named
from endpoints.answers.approvals import Approvals
from endpoints.answers.changes import Changes
from endpoints.answers.decisions import CorrectionView, rule_for
from endpoints.answers.response_body import ResponseBody
from endpoints.answers.version import differences


class CorrectionPreview(CorrectionView):
    """What a correction would change.

    `version` is the number of the version that it would become, and `approvals` what that would
    take; both are null where no other version can follow.
    """

    version: int | None
    approvals: Approvals | None
    changes: Changes

    @classmethod
    async def of(
        cls, seen: Preview, person: Person, offered: Content, corrected: Content
    ) -> CorrectionPreview:
        """Return what somebody's correction would change in what is offered."""
        found = seen.proposal.decided_by(person.id)
        assert found is not None  # noqa: S101 - the decision is part of what is seen
        _, decision = found
        kind = kind_named(seen.operation.kind)
        following, widened = seen.following, list(corrected.widening(offered))
        asked = {
            "since": seen.proposal.version,
            "origin": "correction",
            "why": decision.comment,
            "by": person.name,
        }
        return cls(
            widened=widened,
            rule=rule_for(seen.operation, seen.proposal, decision, widened),
            version=following.version if following else None,
            approvals=Approvals.of(seen.operation, following) if following else None,
            changes=await differences(kind, asked, offered, corrected),
        )


class DecisionPreview(ResponseBody):
    """How a version would stand after a decision; nothing is recorded.

    `correction` is null where the decision carries none.
    """

    decision: Decision
    status: Status
    approvals: Approvals
    correction: CorrectionPreview | None

    @classmethod
    async def of(
        cls, seen: Preview, prepared: Prepared, person: Person, offered: Content
    ) -> DecisionPreview:
        """Return what would become of somebody's decision about what is offered."""
        correction = None
        if prepared.corrected:
            correction = await CorrectionPreview.of(seen, person, offered, prepared.corrected)
        return cls(
            decision=prepared.command.decision,
            status=seen.proposal.status,
            approvals=Approvals.of(seen.operation, seen.proposal),
            correction=correction,
        )
