"""Operations as the API shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from countersign.approvals.ledger import Row
from countersign.approvals.operation import Operation
from countersign.kinds import KINDS
from countersign.summary import Summary, summarise
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


def operation_view(operation: Operation, now: datetime) -> dict[str, Any]:
    """One operation with all that a requester wants to know."""
    closed = operation.closed
    return {
        **_progress(summarise(operation)),
        "proposal": proposal_summary(operation.current, now) if operation.current else None,
        "outcome": {"as": closed.outcome, "reason": closed.reason} if closed else None,
        "receipt": dict(operation.receipt.receipt) if operation.receipt else None,
        "usage": {"tokens": operation.tokens, "limit": services().settings.token_limit},
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
