"""What an operation's state implies: what comes next, what has ended, who has to hear of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from countersign.approvals.errors import AlreadyDecided, Expired, Refusal, Superseded
from countersign.approvals.events import DecisionRecorded, OperationClosed
from countersign.approvals.hold import Hold
from countersign.approvals.operation import Operation
from countersign.approvals.outcome import Ending, Outcome
from countersign.approvals.person import OPERATOR
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.proposal import Proposal
from countersign.approvals.question import Question
from countersign.approvals.quorum import still_needed

REASONS: Mapping[Outcome, str] = {
    "needs_owner": f"Version {MAX_VERSIONS} needs changes too, and there are no further versions:"
    " the person who owns the matter has to take over.",
    "expired": "Nobody decided in time, and there is nobody left to ask.",
}
"""Why an operation ended, where its outcome alone does not say and nobody gave a reason."""

Next: TypeAlias = Literal["wait", "publish", "revise", "escalate", "close"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    """What people have to hear: a version was opened, it waits still, or all has ended.

    Or, of an operator, that the work can't go on.

    Attributes:
        version: the version that it is about; of an outcome or a hold, the last one, and 0 before
            the first.
        episode: the hold's, where it is about one.
        percent: how much of the window is over, where that is what it reminds of.
        roles: those who have to hear it, by their roles.
        countersigning: whether they are asked only after others have approved.
        late: whether it is about an outcome that took the place of another one.
    """

    kind: Literal["opened", "reminder", "outcome", "held"]
    version: int
    episode: int = 0
    percent: int = 0
    roles: tuple[str, ...]
    countersigning: bool = False
    late: bool = False

    @property
    def key(self) -> str:
        """Its name in the ledger, the same whenever it is looked for."""
        if self.kind == "outcome":
            return f"{self.kind}:late" if self.late else self.kind
        if self.kind == "held":
            return f"{self.kind}:{self.episode}"
        percent = f":{self.percent}" if self.kind == "reminder" else ""
        countersigning = ":countersign" if self.countersigning else ""
        return f"{self.kind}:{self.version}{percent}{countersigning}"


def next_step(operation: Operation, version: int) -> Next:
    """Return the step that follows on the outcome of a version; "wait" while it has none."""
    proposal = operation.proposal(version)
    if proposal is None or ended(operation):
        return "close"
    if proposal.status == "pending":
        return "wait"
    if proposal.status == "approved":
        return "publish"
    if proposal.status == "superseded" and version < MAX_VERSIONS:
        return "revise"
    if proposal.status == "expired" and proposal.escalated_to:
        return "escalate"
    return "close"


def version_after(version: int, step: Next) -> int | None:
    """Return the version that is opened after this one, as its outcome asks; None if there is none.

    Where that is "revise" somebody may have to write it first; else it has the same content.
    """
    return version + 1 if step in {"revise", "escalate"} else None


def next_wake(operation: Operation, proposal: Proposal) -> datetime:
    """Return when to look at a pending version again: its next reminder or its deadline (UTC)."""
    due = operation.policy.reminder_times(proposal.expires_at)
    coming = [moment for percent, moment in due.items() if percent not in proposal.reminded]
    return min([*coming, proposal.expires_at])


def escalates_to(operation: Operation, proposal: Proposal) -> str | None:
    """Return the role that is asked if this version expires; None if nobody is."""
    if proposal.version == MAX_VERSIONS:
        return None
    return operation.policy.escalates_to(proposal.required_role)


def awaited_roles(proposal: Proposal) -> tuple[str, ...]:
    """Return the roles of those whose approval a version waits for; countersigners are asked last.

    Where somebody has approved in both, anybody of either can fill the seat that is left. Of a
    version that nobody is waited for any more, they are those that were asked first.
    """
    needed = still_needed(proposal, proposal.approvals)
    return needed[0].roles if needed else proposal.first_roles


def expiry(operation: Operation, proposal: Proposal, now: datetime) -> Expired | None:
    """Return how this version ran out of time, recorded or not yet noticed; None if it did not."""
    if proposal.status == "expired":
        return Expired(at=proposal.expires_at, escalated_to=proposal.escalated_to)
    if proposal.status != "pending" or operation.closed or now < proposal.expires_at:
        return None
    return Expired(at=proposal.expires_at, escalated_to=escalates_to(operation, proposal))


def due_notice(operation: Operation, now: datetime) -> Notice | None:
    """Return the notice that is due now and that nobody began to send; None if none is.

    Only the newest ever is due: a reminder says all that the notice before it would have said, and
    nobody is asked to decide what was settled meanwhile. An end is no news where nobody was asked.
    """
    newest = _newest_notice(operation, now)
    return newest if newest and newest.key not in operation.notices else None


def open_questions(operation: Operation) -> Sequence[Question]:
    """Return the questions that wait for their answers; none once the operation has ended."""
    return [] if ended(operation) else [each for each in operation.questions if each.is_open]


def needs_operator(operation: Operation) -> Hold | None:
    """Return the hold that only an operator can end; None if the work needs no operator."""
    hold = operation.hold
    return hold if hold and hold.needs_operator and not ended(operation) else None


def implied_outcome(operation: Operation, written: Outcome) -> Outcome | None:
    """Return the only outcome that the state allows, or None where it is still open.

    Args:
        operation: the state.
        written: as what operations of its kind end once the write is confirmed.
    """
    return written if operation.written else implied_ending(operation)


def implied_ending(operation: Operation) -> Ending | None:
    """Return the only ending that a state without a confirmed write allows, or None."""
    if operation.withdrawn:
        return "withdrawn"
    if operation.stopped:
        return "stopped"
    current = operation.current
    if current is None:
        return None
    if current.status == "rejected":
        return "rejected"
    if current.status == "expired" and not current.escalated_to:
        return "expired"
    if current.status == "superseded" and current.version == MAX_VERSIONS:
        return "needs_owner"
    return None


def may_end_as(operation: Operation, outcome: Outcome, written: Outcome) -> bool:
    """Return whether closing with this outcome would be true to the state; `written` as above."""
    if outcome == implied_outcome(operation, written):
        return True
    if operation.reservation:
        return outcome == "write_unknown"
    undecided = operation.current is None or operation.current.status == "superseded"
    return outcome == "failed" or (undecided and outcome in {"needs_revision", "over_budget"})


def ended(operation: Operation) -> AlreadyDecided | None:
    """Return why nothing new can begin in this operation, or None if it can."""
    if operation.withdrawn:
        return AlreadyDecided(
            by=operation.withdrawn.actor.name, at=operation.withdrawn.at, decision="withdraw"
        )
    if operation.stopped:
        return AlreadyDecided(
            by=operation.stopped.actor.name, at=operation.stopped.at, decision="stop"
        )
    return closed_as(operation.closed) if operation.closed else None


def too_late(operation: Operation, proposal: Proposal, now: datetime) -> Refusal | None:
    """Return why a version takes no decision any more, or None if it still does."""
    if proposal.status == "superseded" and len(operation.proposals) > proposal.version:
        return Superseded(current=len(operation.proposals))
    if proposal.status in {"superseded", "approved", "rejected"}:
        return already(proposal.decisions[-1][1])
    return expiry(operation, proposal, now) or ended(operation)


def decided_for_good(operation: Operation, now: datetime) -> Refusal | None:
    """Return why it is too late to withdraw, or None if it is not."""
    current = operation.current
    if current is None:
        return None
    if operation.reservation or current.status == "rejected":
        return already(current.decisions[-1][1])
    late = expiry(operation, current, now)
    return late if late and not late.escalated_to else None


def already(event: DecisionRecorded) -> AlreadyDecided:
    """Return a recorded decision as the thing that stands."""
    return AlreadyDecided(by=event.actor.name, at=event.at, decision=event.decision)


def closed_as(closed: OperationClosed) -> AlreadyDecided:
    """Return a closing as the thing that stands."""
    return AlreadyDecided(by=closed.actor.name, at=closed.at, decision=closed.outcome)


def _newest_notice(operation: Operation, now: datetime) -> Notice | None:
    if hold := needs_operator(operation):
        version = len(operation.proposals)
        return Notice(kind="held", version=version, episode=hold.episode, roles=(OPERATOR,))
    current = operation.current
    if current is None:
        return None
    version = current.version
    if operation.closed:
        asked = dict.fromkeys(role for each in operation.proposals for role in each.asked_roles)
        return Notice(kind="outcome", version=version, roles=tuple(asked), late=operation.late)
    if current.status != "pending" or expiry(operation, current, now):
        return None
    roles = awaited_roles(current)
    return Notice(
        kind="reminder" if current.reminded else "opened",
        version=version,
        percent=max(current.reminded, default=0),
        roles=roles,
        countersigning=set(roles).isdisjoint(current.first_roles),
    )
