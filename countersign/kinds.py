"""What sets the kinds of operations apart; all else is the same for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from countersign.approvals.operation import Operation
from countersign.roles import (
    PURCHASE_APPROVER,
    PURCHASE_ESCALATION,
    REPORT_ESCALATION,
    REPORT_REVIEWER,
)
from countersign.stores.artifacts import Artifacts

if TYPE_CHECKING:
    from countersign.operations.content import Content


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of operation.

    Attributes:
        consequence: what follows if it is approved, as whoever decides is told everywhere.
        deciding: the roles of those who may be asked to decide.
    """

    consequence: str
    deciding: tuple[str, ...]


KINDS: Mapping[str, Kind] = {
    "research": Kind(
        consequence="The report is published, once, exactly as shown.",
        deciding=(REPORT_REVIEWER, REPORT_ESCALATION),
    ),
    "purchase": Kind(
        consequence="The order is placed, once, exactly as shown.",
        deciding=(PURCHASE_APPROVER, PURCHASE_ESCALATION),
    ),
}
"""By the kind of an operation, which is the name of its orchestrator too."""


def content_of(kind: str) -> type[Content]:
    """What is offered for approval in operations of a kind."""
    # Imported here because building these models would slow every start of the app down.
    from countersign.purchases.order import OrderContent
    from countersign.research.report import ReportContent

    contents: Mapping[str, type[Content]] = {"research": ReportContent, "purchase": OrderContent}
    return contents[kind]


async def read_content(artifacts: Artifacts, operation: Operation, reference: str) -> Content:
    """The content of an operation that is stored under a reference.

    Raises:
        ArtifactError: it is missing or damaged.
        ValueError: what is stored is no content of this kind.
    """
    stored = await artifacts.get(operation.tenant, reference)
    return content_of(operation.kind).read(stored)
