"""A desk that carries out commands on a ledger in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import TypeAlias

from countersign.approvals import offering
from countersign.approvals.errors import Conflict
from countersign.approvals.events import (
    DecisionRecorded,
    Event,
    OperationStarted,
    ProposalApproved,
    QuestionAnswered,
    QuestionAsked,
    QuestionFailed,
    RetryRequested,
    WorkHeld,
    WorkResumed,
)
from countersign.approvals.folding import begin, evolve, fold
from countersign.approvals.ledger import Entry, chain, verify
from countersign.approvals.operation import Operation
from countersign.approvals.policy import Policy
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import Next, next_step
from testbed.machine.people import REQUESTER, TENANT, order_of
from testbed.machine.witness import Witness

OPERATION = "op-1"
QUESTIONS = (QuestionAsked, QuestionAnswered, QuestionFailed)
HOLDS = (WorkHeld, RetryRequested, WorkResumed)
Command: TypeAlias = Callable[[Operation, datetime], Ruling]


def digest(version: int) -> str:
    """The digest of a version."""
    return f"digest-{version}"


def offer(operation: Operation, version: int, content: str) -> offering.Open:
    """What opens a version with the content of this reference, as the app makes it."""
    opened = offering.Open(
        version=version, digest=digest(version), content=content, evidence="evidence"
    )
    if operation.kind == "research":
        return opened
    before, after = operation.proposal(version - 1), order_of(content)
    beyond = after.widening(order_of(before.content)) if before and before.correction else ()
    return offering.Open(
        version=version,
        digest=digest(version),
        content=content,
        evidence=None,
        amount=after.amount,
        widens=bool(beyond),
    )


def decided(operation: Operation) -> list[object]:
    """All of a state that decides anything; no question and no hold makes a difference to it."""
    versions = [
        (
            each.status,
            each.escalated_to,
            [event for _, event in each.decisions],
            list(each.taken_back.values()),
        )
        for each in operation.proposals
    ]
    return [
        versions,
        operation.withdrawn,
        operation.stopped,
        operation.reservation,
        operation.receipt,
        operation.closed,
    ]


class Desk:
    """Where the commands of one operation are carried out.

    Args:
        kind: the kind of the operation.
        policy: its terms.
        draft: the reference of its first content.
    """

    def __init__(self, kind: str, policy: Policy, draft: str) -> None:
        self.now = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)
        self.draft = draft
        self.acknowledged: list[DecisionRecorded] = []
        started = OperationStarted(
            at=self.now,
            actor=REQUESTER.actor,
            kind=kind,
            title="Tides",
            request="request",
            policy=policy,
        )
        self.rows = chain(TENANT, OPERATION, None, [started])
        self.state = begin(TENANT, OPERATION, started)

    @property
    def due(self) -> Next:
        """What the newest version's outcome asks for."""
        return next_step(self.state, len(self.state.proposals))

    @property
    def approved(self) -> bool:
        """Whether some version was approved."""
        return any(isinstance(row.event, ProposalApproved) for row in self.rows)

    @property
    def intact(self) -> bool:
        """Whether the chain of the ledger is."""
        return verify(TENANT, OPERATION, self.rows) is None

    def carry_out(self, command: Command, seen: Operation | None = None) -> Ruling:
        """Decide on what was seen and append; whoever was too slow looks and decides again."""
        answer = command(seen or self.state, self.now)
        if not isinstance(answer, tuple):
            return answer
        try:
            self.append((seen or self.state).sequence, answer)
        except Conflict:
            return self.carry_out(command)
        self.acknowledged += [event for event in answer if isinstance(event, DecisionRecorded)]
        return answer

    def append(self, expected_sequence: int, events: Sequence[Entry]) -> None:
        """Add events to the ledger.

        Raises:
            Conflict: the ledger has another length than expected.
        """
        if events and expected_sequence != len(self.rows):
            raise Conflict
        rows = chain(TENANT, OPERATION, self.rows[-1], events)
        self.rows += rows
        for row in rows:
            self.state = evolve(self.state, row.event)

    def offer_what_is_due(self) -> None:
        """Open the next version with what it has to offer."""
        before, version = self.state.current, len(self.state.proposals) + 1
        repeated = before and (before.status == "expired" or self.state.unrevised)
        kept = before.content if before and repeated else None
        content = kept or (before and before.correction) or self.draft
        command = offer(self.state, version, content)
        assert self.carry_out(
            lambda operation, now: offering.open_proposal(operation, command, now)
        )
        assert len(self.state.proposals) == version

    def shows_the_promises_kept(
        self, roles: Mapping[str, frozenset[str]], written: tuple[str, int] | None
    ) -> None:
        """Have a witness look at the ledger, and compare it with the state."""
        events = [row.event for row in self.rows]
        assert fold(TENANT, OPERATION, events) == self.state
        aside = (*QUESTIONS, *HOLDS)
        assert decided(folded_without(aside, events)) == decided(self.state)
        witness = Witness(
            events=events, roles=roles, acknowledged=self.acknowledged, written=written
        )
        witness.finds_the_promises_kept()


def folded_without(kinds: tuple[type[Event], ...], events: Sequence[Event]) -> Operation:
    """The state if some kinds of events had no effect; their rows stand, as others name them."""
    operation = begin(TENANT, OPERATION, events[0])
    for event in events[1:]:
        if isinstance(event, kinds):
            operation = replace(operation, sequence=operation.sequence + 1)
        else:
            operation = evolve(operation, event)
    return operation
