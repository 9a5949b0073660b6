"""One version of what is offered for approval, and what people have decided about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from countersign.approvals.events import (
    ApprovalTakenBack,
    CommentResolved,
    CommentsAdded,
    DecisionRecorded,
    VersionOrigin,
)
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.money import Money
from countersign.approvals.person import Actor

Status: TypeAlias = Literal[
    "pending", "approved", "rejected", "superseded", "expired", "withdrawn", "stopped"
]

Recorded: TypeAlias = tuple[int, DecisionRecorded]
"""A decision, with its sequence in the ledger."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """One version of what is offered for approval.

    Attributes:
        asked_before: the role that was asked before an escalation, whose people may still approve;
            None if there was no escalation.
        decisions: all that were recorded, and before them the approvals of an expired version with
            the same content.
        taken_back: those of them that their approvers took back, by their sequence.
        passkey_roles: the roles in which an approval counts only with a signature by the person's
            own passkey.
        added: the comments on its passages that reviewers gave before a decision, in order.
        resolved: the comments on its passages that are resolved, by their number (from 1).
        failure: why it is the text of the version before, where a reviewer wanted that changed;
            None if it is what its origin says.
        evidence_count: what its evidence comes to; None if there is none, or if an earlier release
            opened it.
    """

    version: int
    digest: str
    content: str
    evidence: str | None
    origin: VersionOrigin
    opened_at: datetime
    expires_at: datetime
    required_role: str
    quorum: int
    countersigner_role: str | None
    correctors: tuple[str, ...]
    amount: Money | None
    asked_before: str | None = None
    passkey_roles: frozenset[str] = frozenset()
    status: Status = "pending"
    decisions: tuple[Recorded, ...] = ()
    taken_back: Mapping[int, ApprovalTakenBack] = field(
        default_factory=dict[int, ApprovalTakenBack]
    )
    added: tuple[CommentsAdded, ...] = ()
    resolved: Mapping[int, CommentResolved] = field(default_factory=dict[int, CommentResolved])
    reminded: tuple[int, ...] = ()
    escalated_to: str | None = None
    failure: str | None = None
    evidence_count: EvidenceCount | None = None

    @property
    def first_roles(self) -> tuple[str, ...]:
        """The roles of which the quorum is asked; each of those people needs one of them."""
        return tuple(filter(None, (self.required_role, self.asked_before)))

    @property
    def asked_roles(self) -> tuple[str, ...]:
        """The roles in which somebody can decide about this version."""
        return tuple(dict.fromkeys(filter(None, (*self.first_roles, self.countersigner_role))))

    @property
    def standing(self) -> tuple[Recorded, ...]:
        """The decisions that nobody took back."""
        return tuple(entry for entry in self.decisions if entry[0] not in self.taken_back)

    def needs_passkey(self, roles: Iterable[str]) -> bool:
        """Return whether an approval by somebody with these roles counts only if they sign it."""
        return not self.passkey_roles.isdisjoint(roles)

    def counts(self, event: DecisionRecorded) -> bool:
        """Return whether a decision is an approval that counts."""
        roles = event.roles or (self.required_role,)
        signed = event.passkey is not None or not self.needs_passkey(roles)
        return event.decision == "approve" and signed

    @property
    def approvals(self) -> dict[str, tuple[str, ...]]:
        """Whose approval this version has, by id, and in which of the asked roles."""
        return {
            event.actor.id: event.roles or (self.required_role,)
            for _, event in self.standing
            if self.counts(event)
        }

    @property
    def approvers(self) -> frozenset[str]:
        """The ids of the people whose approval this version has."""
        return frozenset(self.approvals)

    @property
    def correction(self) -> str | None:
        """The reference of the text with which a reviewer superseded this version, if one did."""
        last = self.decisions[-1][1] if self.status == "superseded" else None
        return last.correction if last else None

    @property
    def comments(self) -> str | None:
        """The reference of what the reviewer who superseded this version said about passages."""
        last = self.decisions[-1][1] if self.status == "superseded" else None
        return last.comments if last else None

    @property
    def commented(self) -> tuple[tuple[str, Actor, datetime], ...]:
        """What was said about passages: the reference, by whom and when, in order."""
        said = [(each.comments, each.actor, each.at) for each in self.added]
        if self.comments:
            last = self.decisions[-1][1]
            said.append((self.comments, last.actor, last.at))
        return tuple(said)

    def decided_by(self, person: str) -> Recorded | None:
        """Return the decision of this person that stands about this version, with its sequence."""
        mine = (entry for entry in self.standing if entry[1].actor.id == person)
        return next(mine, None)
