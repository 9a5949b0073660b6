"""What sets the kinds of operations apart; all else is the same for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from countersign.approvals.operation import Operation
from countersign.content import Content, ReportContent
from countersign.order import OrderContent
from countersign.roles import APPROVER, ESCALATION, PURCHASE_ESCALATION, REVIEWER
from countersign.stores.artifacts import Artifacts


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of operation.

    Attributes:
        content: what is offered for approval.
        consequence: what follows if it is approved, as whoever decides is told everywhere.
        deciding: the roles of those who may be asked to decide.
    """

    content: type[Content]
    consequence: str
    deciding: tuple[str, ...]


KINDS: Mapping[str, Kind] = {
    "research": Kind(
        content=ReportContent,
        consequence="The report is published, once, exactly as shown.",
        deciding=(REVIEWER, ESCALATION),
    ),
    "purchase": Kind(
        content=OrderContent,
        consequence="The order is placed, once, exactly as shown.",
        deciding=(APPROVER, PURCHASE_ESCALATION),
    ),
}
"""By the kind of an operation, which is the name of its orchestrator too."""


async def read_content(artifacts: Artifacts, operation: Operation, reference: str) -> Content:
    """The content of an operation that is stored under a reference.

    Raises:
        ArtifactError: it is missing or damaged.
        ValueError: what is stored is no content of this kind.
    """
    stored = await artifacts.get(operation.tenant, reference)
    return KINDS[operation.kind].content.read(stored)
