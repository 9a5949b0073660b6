"""What activities answer: plain JSON, small, and never a text of the work itself."""

from __future__ import annotations

from typing import Any, TypeAlias

from countersign.approvals.errors import AlreadyDecided, Refusal
from countersign.approvals.events import Outcome

Answer: TypeAlias = dict[str, Any]

LONGEST_REASON = 1_000
"""Characters of a reason; it becomes part of an orchestration's history."""


def stop(outcome: Outcome, reason: str) -> Answer:
    """The answer that ends an operation: as what, and a sentence for people."""
    return {"ends_as": outcome, "reason": reason[:LONGEST_REASON]}


def stopped_by(refusal: Refusal) -> Answer:
    """The answer that ends an operation because the ledger no longer lets the work go on."""
    if isinstance(refusal, AlreadyDecided):
        outcome = "withdrawn" if refusal.decision == "withdraw" else "failed"
        return stop(outcome, f"{refusal.by} recorded {refusal.decision} before.")
    return stop("failed", f"The ledger refused the step: {type(refusal).__name__}.")
