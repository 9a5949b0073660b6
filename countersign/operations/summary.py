"""One operation in a row: what lists and progress displays show without reading a ledger."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.outcome import Ending, Outcome
from countersign.approvals.standing import (
    awaited_roles,
    implied_ending,
    implied_outcome,
    needs_operator,
    next_wake,
    open_questions,
)
from countersign.kinds.kind import AnyKind
from countersign.kinds.registry import is_known, kind_named, known_kinds
from countersign.steps.names import researched
from countersign.stores.summary import Decider, Summary

State: TypeAlias = str
"""One of `states()`."""

Stage: TypeAlias = str
"""One of `stages()`."""

UNKNOWN = "unknown"
"""State and stage of an open operation whose kind nobody registered."""


def states() -> tuple[State, ...]:
    """All states that an operation can be in."""
    return ("running", "awaiting_approval", "needs_operator", UNKNOWN, *outcomes())


def outcomes() -> tuple[Outcome, ...]:
    """All that an operation can end as."""
    written = dict.fromkeys(kind.outcome for kind in known_kinds())
    return (*written, *get_args(Ending))


def stages() -> tuple[Stage, ...]:
    """All stages that an operation can be at."""
    preparing = (stage for kind in known_kinds() for stage in kind.stages.preparing)
    writing = (kind.stages.writing for kind in known_kinds())
    deciding = ("awaiting_decision", "revising", "escalating")
    return tuple(dict.fromkeys([UNKNOWN, *preparing, *deciding, *writing, "closing", "closed"]))


def summarise(operation: Operation) -> Summary:
    """Return the row that stands for this state in the index."""
    current, hold = operation.current, needs_operator(operation)
    awaited = awaited_roles(current) if current else ()
    return Summary(
        operation_id=operation.id,
        tenant=operation.tenant,
        kind=operation.kind,
        title=operation.title,
        requester_id=operation.requester.id,
        requester_name=operation.requester.name,
        state=state_of(operation),
        stage=stage_of(operation),
        done=researched(operation.work),
        total=len(operation.subtopics or ()),
        tokens=operation.tokens,
        version=current.version if current else None,
        required_role=awaited[0] if awaited else None,
        awaited_roles=awaited,
        tokens_day=operation.tokens_day,
        day_tokens=operation.day_tokens,
        approvers=tuple(sorted(current.approvers)) if current else (),
        expires_at=current.expires_at if current else None,
        created_at=operation.created_at,
        updated_at=operation.updated_at,
        sequence=operation.sequence,
        asked_at=min((each.at for each in open_questions(operation)), default=None),
        amount=str(current.amount) if current and current.amount else None,
        cause=hold.cause if hold else None,
        next_try=hold.next_try if hold else None,
        wakes_at=_wakes_at(operation),
        origin=current.origin if current else None,
        approvals_needed=_approvals_needed(current) if current else 1,
        decided_by=tuple(_deciders(operation)),
        erased=_erased(operation),
        evidence_count=current.evidence_count if current else None,
    )


def _wakes_at(operation: Operation) -> datetime | None:
    current = operation.current
    return next_wake(operation, current) if current and current.status == "pending" else None


def _erased(operation: Operation) -> Literal["person", "all"] | None:
    if operation.erased:
        return "all"
    return "person" if operation.people_erased else None


def _approvals_needed(current: Proposal) -> int:
    return current.quorum + (current.countersigner_role is not None)


def _deciders(operation: Operation) -> Iterable[Decider]:
    """Everybody with a decision that stands on a version, the last one of each."""
    last = {
        event.actor.id: Decider(
            person=event.actor.id,
            name=event.actor.name,
            decision=event.decision,
            version=proposal.version,
            at=event.at,
        )
        for proposal in operation.proposals
        for _, event in proposal.standing
    }
    return last.values()


def state_of(operation: Operation) -> State:
    """Return the state that the API shows."""
    if operation.closed:
        return operation.closed.outcome
    if not is_known(operation.kind):
        return implied_ending(operation) or UNKNOWN
    if outcome := implied_outcome(operation, kind_named(operation.kind).outcome):
        return outcome
    if needs_operator(operation):
        return "needs_operator"
    current = operation.current
    return "awaiting_approval" if current and current.status == "pending" else "running"


def stage_of(operation: Operation) -> Stage:
    """Return the stage that the operation is in."""
    if operation.closed:
        return "closed"
    if not is_known(operation.kind):
        return UNKNOWN
    kind, current = kind_named(operation.kind), operation.current
    if implied_outcome(operation, kind.outcome):
        return "closing"
    return _with_proposal(kind, current) if current else kind.stages.current(operation)


def _with_proposal(kind: AnyKind, current: Proposal) -> Stage:
    if current.status == "pending":
        return "awaiting_decision"
    if current.status == "approved":
        return kind.stages.writing
    return "escalating" if current.status == "expired" else "revising"
