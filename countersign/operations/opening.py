"""How a version that was just made is offered: with the row that says that it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from countersign.approvals import offering
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.operation import Operation
from countersign.kinds.registry import read_content
from countersign.operations.rule import Rule
from countersign.stores.artifacts import Artifacts


async def opening(
    artifacts: Artifacts, operation: Operation, version: int, made: Mapping[str, Any]
) -> Rule:
    """Return the rule that offers what was made for a version.

    Args:
        artifacts: where it is stored.
        operation: whose version it is.
        version: its number (from 1).
        made: the references of its content and its evidence.

    Raises:
        ArtifactError: the content can't be read back.
    """
    # Imported here because building its models would slow every start of the app down.
    from countersign.bodies.content import offer

    offered = offer(
        operation,
        version,
        offered=await read_content(artifacts, operation, made["content"]),
        content=made["content"],
        evidence=made["evidence"],
        corrected=None,
    )
    command = replace(offered, evidence_count=counted(made))
    return lambda state, now: offering.open_proposal(state, command, now)


def counted(made: Mapping[str, Any]) -> EvidenceCount | None:
    """Return what the evidence of a draft comes to; drafts of earlier releases don't say it."""
    count = made.get("evidence_count")
    return EvidenceCount(**count) if count else None
