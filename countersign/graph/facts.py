"""What a program, or a person at a terminal, has to know of an operation at rest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from countersign.approvals.events import Decision
from countersign.approvals.operation import Operation
from countersign.approvals.standing import expiry, needs_operator
from countersign.graph.question import question_about
from countersign.graph.rest import Rest
from countersign.operations.summary import State, state_of, summarise
from countersign.platform.counted import counted
from countersign.stores.summary import Summary

if TYPE_CHECKING:
    from countersign.services import Services

EXPIRED: State = "expired"
WAITING: State = "awaiting_approval"

DID: Mapping[Decision, str] = {
    "approve": "approved",
    "reject": "rejected",
    "revise": "requested changes to",
}
"""What somebody did who decided about a version."""

_ASKED = (
    "requester",
    "still_to_approve",
    "mixed_scripts",
    "notes",
    "evidence_summary",
    "text",
    "text_characters",
    "text_complete",
    "whole_text",
)
"""What of the question about a version is told beside what the operation says itself."""


async def facts_of(app: Services, rest: Rest) -> dict[str, Any]:
    """Return the facts, as plain JSON; while a version waits, all that its question says.

    Raises:
        ArtifactError: the text that is asked about, or its evidence, is missing or damaged.
    """
    operation, now = rest.operation, app.clock()
    current = operation.current
    pending = current if current and current.status == "pending" else None
    asked = await question_about(app, operation, pending) if pending else {}
    return {
        "operation_id": operation.id,
        "title": operation.title,
        "state": state_at(operation, now),
        "stage": summarise(operation).stage,
        "request_id": rest.request_id,
        "version": current.version if current else None,
        "digest": current.digest if current else None,
        "required_role": pending.required_role if pending else None,
        "expires_at": pending.expires_at.isoformat() if pending else None,
        "next": _next(operation, now),
        "failure": pending.failure if pending else None,
        "held": _held(operation),
        "decided": _decided(operation),
        "reason": operation.closed.reason or None if operation.closed else None,
        "receipt": dict(operation.receipt) if operation.receipt else None,
        **{name: asked.get(name) for name in _ASKED},
    }


def state_at(operation: Operation, now: datetime) -> State:
    """Return the state at a moment (UTC): expired from the deadline on, recorded or not."""
    current = operation.current
    return EXPIRED if current and expiry(operation, current, now) else state_of(operation)


def shown_state(row: Summary, now: datetime) -> State:
    """Return the same of a row in a list."""
    late = row.state == WAITING and row.expires_at is not None and row.expires_at <= now
    return EXPIRED if late else row.state


def lines_of(facts: Mapping[str, Any]) -> list[str]:
    """Return the facts for a terminal, a line for each that there is; without the text itself."""
    told = {**facts, "receipt": _receipt(facts["receipt"])}
    told["evidence"] = _evidence(facts["evidence_summary"])
    for left_out in ("evidence_summary", "text", "text_characters", "text_complete", "whole_text"):
        del told[left_out]
    return [f"{name:16} {value}" for name, value in told.items() if value is not None]


def _next(operation: Operation, now: datetime) -> str | None:
    current = operation.current
    late = expiry(operation, current, now) if current and current.status == "pending" else None
    if late is None:
        return None
    comes = f"asks {late.escalated_to}" if late.escalated_to else "closes it"
    return f"the deadline has passed: resume {operation.id} {comes}"


def _held(operation: Operation) -> str | None:
    hold = needs_operator(operation)
    return f"{hold.cause}, attempts: {hold.tries}: {hold.reason}" if hold else None


def _decided(operation: Operation) -> str | None:
    decisions = [each for proposal in operation.proposals for each in proposal.decisions]
    if not decisions:
        return None
    _, last = decisions[-1]
    return f"{last.actor.name} {DID[last.decision]} version {last.version} at {last.at.isoformat()}"


def _receipt(receipt: Mapping[str, Any] | None) -> str | None:
    if receipt is None:
        return None
    return (
        f"{receipt['location']} ({receipt['size']} bytes, SHA-256 {receipt['sha256']}),"
        f" written {receipt['written_at']}"
    )


def _evidence(summary: Mapping[str, Any] | None) -> str | None:
    if summary is None:
        return None
    if summary["own_text"]:
        return "none: the text is a reviewer's own"
    return (
        f"{summary['used']} of {summary['supported']} supported claims used,"
        f" {summary['quotes_found']} of {summary['claims']} quotes found,"
        f" {counted(summary['source_count'], 'source')},"
        f" {counted(summary['grave_doubt_count'], 'grave doubt')},"
        f" {counted(summary['other_doubt_count'], 'other doubt')}"
    )
