"""How a step of the work answers: plain JSON, small, and never a text of the work itself."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from countersign.approvals.errors import AlreadyDecided, Refusal
from countersign.approvals.events import Outcome

Answer: TypeAlias = dict[str, Any]

LONGEST_REASON = 1_500
"""Characters of a reason as JSON, where those beyond ASCII take six or twelve.

A reason goes through an orchestration's history to the activity that closes the operation. There
every quotation mark is escaped twice and every character counts two bytes, of which no payload may
have more than 8 KB.
"""


def stop(outcome: Outcome, reason: str) -> Answer:
    """The answer that ends an operation: as what, and a sentence for people."""
    return {"ends_as": outcome, "reason": _beginning(reason)}


def held(*, news: bool) -> Answer:
    """The answer that the work waits for an operator, as the ledger says.

    Args:
        news: whether people have to hear of it.
    """
    return {"held": True, "news": news}


def stopped_by(refusal: Refusal) -> Answer:
    """The answer that ends an operation because the ledger no longer lets the work go on."""
    if isinstance(refusal, AlreadyDecided):
        outcome = "withdrawn" if refusal.decision == "withdraw" else "failed"
        return stop(outcome, f"{refusal.by} had already recorded {refusal.decision}.")
    return stop("failed", f"The ledger refused the step: {type(refusal).__name__}.")


def _beginning(reason: str) -> str:
    while (size := len(json.dumps(reason))) > LONGEST_REASON:
        reason = reason[: len(reason) * LONGEST_REASON // size]
    return reason
