"""Operations and proposals as the API shows them."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from typing import Any

from countersign.approvals.ledger import Row
from countersign.approvals.operation import Operation, Proposal
from countersign.content import ReportContent, read_content
from countersign.review.changes import changed_lines
from countersign.review.render import to_html
from countersign.summary import Summary, summarise
from countersign.wiring import services


def row_view(summary: Summary) -> dict[str, Any]:
    """An operation in a list."""
    return {
        **_progress(summary),
        "version": summary.version,
        "required_role": summary.required_role,
        "expires_at": _text(summary.expires_at),
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


def proposal_summary(proposal: Proposal, now: datetime) -> dict[str, Any]:
    """A version without its content.

    A version whose deadline has passed is shown as expired even before that is recorded, since
    no decision about it can count any more.
    """
    late = proposal.status == "pending" and now >= proposal.expires_at
    return {
        "version": proposal.version,
        "digest": proposal.digest,
        "status": "expired" if late else proposal.status,
        "origin": proposal.origin,
        "opened_at": _text(proposal.opened_at),
        "expires_at": _text(proposal.expires_at),
        "required_role": proposal.required_role,
        "escalated_to": proposal.escalated_to,
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


async def proposal_view(operation: Operation, proposal: Proposal, now: datetime) -> dict[str, Any]:
    """A version with its content, the evidence for it, and what changed since the one before."""
    content = await _content(operation, proposal)
    evidence = await services().artifacts.get(operation.tenant, proposal.evidence)
    before = operation.proposal(proposal.version - 1)
    return {
        "operation_id": operation.id,
        **proposal_summary(proposal, now),
        "quorum": operation.policy.quorum,
        "decisions": [
            {
                "sequence": sequence,
                "by": event.actor.name,
                "at": _text(event.at),
                "decision": event.decision,
                "comment": event.comment,
            }
            for sequence, event in proposal.decisions
        ],
        "content": content.model_dump(mode="json"),
        "html": await asyncio.to_thread(to_html, content.text),
        "evidence": json.loads(evidence),
        "changes": await changes_view(operation, proposal, since=before) if before else None,
    }


async def changes_view(
    operation: Operation, proposal: Proposal, *, since: Proposal
) -> dict[str, Any]:
    """What changed in a version since an earlier one, and what the reviewer had asked for."""
    old, new = await _content(operation, since), await _content(operation, proposal)
    asked_for = since.decisions[-1][1] if since.status == "superseded" else None
    return {
        "since": since.version,
        "why": asked_for.comment if asked_for else "",
        "lines": await asyncio.to_thread(changed_lines, old.text, new.text),
    }


async def _content(operation: Operation, proposal: Proposal) -> ReportContent:
    return await read_content(services().artifacts, operation.tenant, proposal.content)


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
