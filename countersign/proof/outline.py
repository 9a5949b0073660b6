"""An operation for people, as a proof bundle tells it; all of it follows from the ledger."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from countersign.approvals.events import DecisionRecorded
from countersign.approvals.operation import Operation
from countersign.approvals.person import Actor
from countersign.approvals.proposal import Proposal
from countersign.operations.summary import state_of


def outline(operation: Operation) -> dict[str, Any]:
    """Return the request, each version with its decisions, the receipt and the outcome, as JSON."""
    withdrawn, written, closed = operation.withdrawn, operation.written, operation.closed
    stopped = operation.stopped
    return {
        "title": operation.title,
        "requester": _who(operation.requester),
        "started_at": _text(operation.created_at),
        "state": state_of(operation),
        "versions": [_version(proposal) for proposal in operation.proposals],
        "withdrawn": _ending(withdrawn.at, withdrawn.reason) if withdrawn else None,
        # Bundles of earlier releases have no such entry, and theirs have to be told the same.
        **({"stopped": _ending(stopped.at, stopped.reason)} if stopped else {}),
        **({"erased": _erasures(operation)} if _erasures(operation) else {}),
        "receipt": {"version": written.version, **written.receipt} if written else None,
        "outcome": (
            {"as": closed.outcome, **_ending(closed.at, closed.reason)} if closed else None
        ),
    }


def _erasures(operation: Operation) -> list[dict[str, str]]:
    """Return what was erased, when and under which rule."""
    people = [
        {"what": "a person", "at": _text(event.at), "rule": event.rule}
        for event in operation.people_erased
    ]
    erased = operation.erased
    everything = [{"what": "all", "at": _text(erased.at), "rule": erased.rule}] if erased else []
    return [*people, *everything]


def _version(proposal: Proposal) -> dict[str, Any]:
    amount = proposal.amount
    return {
        "version": proposal.version,
        "digest": proposal.digest,
        "content": proposal.content,
        "origin": proposal.origin,
        "amount": {"amount": str(amount.amount), "currency": amount.currency} if amount else None,
        "opened_at": _text(proposal.opened_at),
        "expires_at": _text(proposal.expires_at),
        "required_role": proposal.required_role,
        "quorum": proposal.quorum,
        "countersigner_role": proposal.countersigner_role,
        "status": proposal.status,
        "decisions": [_decision(proposal, *decision) for decision in proposal.decisions],
    }


def _decision(proposal: Proposal, sequence: int, event: DecisionRecorded) -> dict[str, Any]:
    taken_back = proposal.taken_back.get(sequence)
    return {
        "sequence": sequence,
        "by": _who(event.actor),
        "roles": list(event.roles or (proposal.required_role,)),
        "at": _text(event.at),
        "decision": event.decision,
        "comment": event.comment,
        # Only where it applies, so that what older proofs say of themselves remains right.
        **({"taken_back_at": _text(taken_back.at)} if taken_back else {}),
    }


def _who(actor: Actor) -> dict[str, str]:
    return {"id": actor.id, "name": actor.name}


def _ending(at: datetime, reason: str) -> dict[str, str]:
    return {"at": _text(at), "reason": reason}


def _text(moment: datetime) -> str:
    return moment.isoformat()
