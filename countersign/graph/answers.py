"""What a graph's questions are answered with: where in the ledger a decision is, and no more."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from countersign.approvals.operation import Operation


class Ring(BaseModel):
    """The doorbell: it carries no authority, the ledger does."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    sequence: int = Field(ge=1)


def ring(sequence: int) -> dict[str, int]:
    """Return the answer that says: look into the ledger, up to this row or further."""
    return {"sequence": sequence}


def ring_in(response: Any) -> Ring | None:
    """Return the ring that an answer is, strictly; None if it is anything else.

    The framework's agents turn every answer into text, so the JSON of a ring is one, too.
    """
    try:
        if isinstance(response, str):
            return Ring.model_validate(json.loads(response))
        return Ring.model_validate(response)
    except (ValidationError, ValueError, RecursionError):
        return None


def approval_at(operation: Operation, version: int, digest: str) -> int | None:
    """Return where the approval that lets just this digest of this version out is in the ledger.

    None if the version isn't approved, has another digest, or was withdrawn after it.
    """
    proposal = operation.proposal(version)
    if proposal is None or proposal.status != "approved" or proposal.digest != digest:
        return None
    if operation.withdrawn:
        return None
    return proposal.decisions[-1][0]
