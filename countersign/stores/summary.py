"""The row of an operation in the index, from which lists are shown without reading a ledger."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from countersign.approvals.events import Decision, VersionOrigin
from countersign.approvals.evidence_count import EvidenceCount


@dataclass(frozen=True, kw_only=True, slots=True)
class Decider:
    """Somebody who decided on a version, and what, and when (UTC) they did so last."""

    person: str
    name: str
    decision: Decision
    version: int
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """What the index keeps of an operation; times are UTC.

    Attributes:
        state: one of those of `countersign.operations.summary.states`.
        stage: one of its `stages`.
        done: how many of the `total` subtopics have findings.
        version: the newest version, None before the first.
        required_role: the first of the roles in which the next approval of it is needed.
        awaited_roles: all of them; empty in rows of earlier releases, which knew of the first.
        approvers: the ids of those who approved that version so far.
        asked_at: since when a question has been open, if any is.
        amount: what the newest version costs, with its currency, if it costs something.
        origin: where the newest version comes from.
        evidence_count: what its evidence comes to; None without any, and in earlier rows.
        approvals_needed: how many people it takes to approve the newest version.
        decided_by: everybody who decided on any version, with the last decision of each.
        cause: what an operator has to put right, as programs tell it apart, if anything.
        next_try: when the work is tried again that waits for that, if at all by itself.
        wakes_at: when something becomes true of that version by the passing of time alone.
        tokens_day: the last day (UTC) on which a model was called; None if none was, and in rows of
            earlier releases.
        day_tokens: the model tokens of that day.
        erased: what of its names and texts was erased: those of a person, or all.
        sequence: how many ledger rows this reflects; a row with fewer never replaces it.
    """

    operation_id: str
    tenant: str
    kind: str
    title: str
    requester_id: str
    requester_name: str
    state: str
    stage: str
    done: int
    total: int
    tokens: int
    version: int | None
    required_role: str | None
    approvers: tuple[str, ...]
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime
    sequence: int
    asked_at: datetime | None = None
    amount: str | None = None
    cause: str | None = None
    next_try: datetime | None = None
    wakes_at: datetime | None = None
    origin: VersionOrigin | None = None
    approvals_needed: int = 1
    decided_by: tuple[Decider, ...] = ()
    awaited_roles: tuple[str, ...] = ()
    tokens_day: date | None = None
    day_tokens: int = 0
    erased: Literal["person", "all"] | None = None
    evidence_count: EvidenceCount | None = None

    @property
    def awaited(self) -> tuple[str, ...]:
        """The roles in any of which the next approval is needed, also of an earlier row."""
        first = () if self.required_role is None else (self.required_role,)
        return self.awaited_roles or first
