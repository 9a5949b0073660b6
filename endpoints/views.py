"""Operations as the API shows them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from countersign.approvals.ledger import Row
from countersign.approvals.operation import Operation
from countersign.approvals.standing import ended
from countersign.kinds import KINDS
from countersign.operations.summary import Summary, summarise
from countersign.stores.progress import UnderWay
from countersign.wiring import services
from endpoints.proposal_views import proposal_summary


def row_view(summary: Summary) -> dict[str, Any]:
    """An operation in a list."""
    return {
        **_progress(summary),
        "version": summary.version,
        "required_role": summary.required_role,
        "expires_at": _text(summary.expires_at),
        "amount": summary.amount,
        "cause": summary.cause,
        "next_try": _text(summary.next_try),
    }


def _progress(summary: Summary) -> dict[str, Any]:
    return {
        "operation_id": summary.operation_id,
        "kind": summary.kind,
        "title": summary.title,
        "requester": summary.requester_name,
        "state": summary.state,
        "stage": summary.stage,
        "progress": {"done": summary.done, "total": summary.total},
        "tokens": summary.tokens,
        "consequence": KINDS[summary.kind].consequence,
        "created_at": _text(summary.created_at),
        "updated_at": _text(summary.updated_at),
    }


def operation_view(
    operation: Operation, now: datetime, under_way: Sequence[UnderWay]
) -> dict[str, Any]:
    """One operation with all that a requester wants to know."""
    closed = operation.closed
    return {
        **_progress(summarise(operation)),
        "proposal": proposal_summary(operation.current, now) if operation.current else None,
        "outcome": {"as": closed.outcome, "reason": closed.reason} if closed else None,
        "receipt": dict(operation.receipt.receipt) if operation.receipt else None,
        "hold": hold_view(operation),
        "under_way": [_step_view(step) for step in under_way],
        "usage": {"tokens": operation.tokens, "limit": services().settings.token_limit},
    }


def _step_view(step: UnderWay) -> dict[str, Any]:
    """A step that is under way: `tokens` are about those of the model's answer so far."""
    return {
        "step": step.step,
        "subtopic": step.subtopic,
        "tokens": step.tokens,
        "seen_at": step.seen_at.isoformat(),
    }


def hold_view(operation: Operation) -> dict[str, Any] | None:
    """Why the work of an operation does not go on, null if it does.

    `needs_operator` is false for what is expected to pass by itself. `next_try` is null if nothing
    is tried before somebody asks for it, who is in `asked_by` then.
    """
    hold = operation.hold
    if hold is None or ended(operation):
        return None
    return {
        "cause": hold.cause,
        "reason": hold.reason,
        "step": hold.step,
        "needs_operator": hold.needs_operator,
        "since": hold.since.isoformat(),
        "tries": hold.tries,
        "tried_at": hold.tried_at.isoformat(),
        "next_try": _text(hold.next_try),
        "asked_by": hold.asked.actor.name if hold.asked else None,
    }


def event_view(row: Row) -> dict[str, Any]:
    """A row of the ledger as it was recorded."""
    data = dict(row.data)
    return {
        "sequence": row.sequence,
        "at": data.pop("at", None),
        "actor": data.pop("actor", None),
        "type": row.type,
        "data": data,
        "hash": row.hash,
    }


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
