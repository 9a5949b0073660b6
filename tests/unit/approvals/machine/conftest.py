"""A desk that carries out commands, and a witness who knows the promises and no rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from typing import TypeAlias, TypeVar

import pytest

from countersign.approvals import rules
from countersign.approvals.errors import Conflict
from countersign.approvals.events import (
    DecisionRecorded,
    Event,
    NoticeClaimed,
    NoticeInDoubt,
    NoticeSent,
    OperationClosed,
    OperationStarted,
    OperationWithdrawn,
    Outcome,
    ProposalApproved,
    ProposalExpired,
    ProposalOpened,
    ProposalRejected,
    ProposalSuperseded,
    QuestionAnswered,
    QuestionAsked,
    QuestionFailed,
    ReceiptRecorded,
    ReminderDue,
    WriteClaimed,
)
from countersign.approvals.ledger import chain, verify
from countersign.approvals.operation import Operation, begin, evolve, fold
from countersign.approvals.person import SYSTEM, Person
from countersign.approvals.policy import Policy
from countersign.approvals.rules import Answer
from countersign.approvals.standing import Next, next_step

TENANT, OPERATION = "contoso", "op-1"
Command: TypeAlias = Callable[[Operation, datetime], Answer]
E = TypeVar("E", bound=Event)

CAUSES = {ProposalApproved: "approve", ProposalRejected: "reject", ProposalSuperseded: "revise"}
OUTCOMES = (*CAUSES, ProposalExpired)
NOTICES = (NoticeClaimed, NoticeSent, NoticeInDoubt)
QUESTIONS = (QuestionAsked, QuestionAnswered, QuestionFailed)


@dataclass(frozen=True, kw_only=True)
class Witness:
    """What was seen from outside.

    Each promise is checked on the list of events alone, in words of its own: nothing here asks the
    rules or the fold what is legal.

    Attributes:
        events: the ledger.
        roles: which roles the people of the operation's tenant have.
        acknowledged: the decisions that were answered as recorded, in that order.
        written: the digest at the destination, if any, and how long the ledger was at the write.
    """

    events: Sequence[Event]
    roles: Mapping[str, frozenset[str]]
    acknowledged: Sequence[DecisionRecorded]
    written: tuple[str, int] | None

    def finds_the_promises_kept(self) -> None:
        self.only_the_approved_digest_is_written_and_at_most_once()
        self.a_version_has_one_outcome_and_nothing_follows_it()
        self.what_was_acknowledged_is_in_the_ledger()
        self.enough_entitled_people_are_an_approval_and_nothing_else_is()
        self.everybody_who_decided_was_entitled_to_and_in_time()
        self.an_outcome_is_a_recorded_decision_or_a_passed_deadline()
        self.versions_follow_each_other_and_escalate_once()
        self.a_next_version_offers_what_was_decided()
        self.a_reminder_goes_out_once_and_never_early()
        self.only_the_requester_withdraws_and_only_the_closing_follows()
        self.an_operation_ends_once_as_what_happened()
        self.a_notice_is_claimed_once_and_while_it_is_true()
        self.what_becomes_of_a_notice_follows_its_claim()
        self.a_question_is_a_reviewers_and_one_at_a_time()

    def only_the_approved_digest_is_written_and_at_most_once(self) -> None:
        """P1 and P4."""
        claims = self.all(WriteClaimed)
        approved = [event.version for event in self.all(ProposalApproved)]
        assert len(self.all(ReceiptRecorded)) <= len(claims) <= 1
        for claim in claims:
            assert claim.version in approved
            assert claim.digest == self.opened(claim.version).digest
            assert not self.all(OperationWithdrawn)
        if self.written:
            digest, length = self.written
            assert [claim.digest for claim in claims] == [digest]
            assert claims[0] in self.events[:length]

    def a_version_has_one_outcome_and_nothing_follows_it(self) -> None:
        """P2, and of P5 that an expired version is never approved."""
        for opened in self.all(ProposalOpened):
            about = [
                event
                for event in self.events
                if getattr(event, "version", None) == opened.version
                and not isinstance(event, WriteClaimed | ReceiptRecorded)
            ]
            ends = [place for place, event in enumerate(about) if isinstance(event, OUTCOMES)]
            assert ends in ([], [len(about) - 1])

    def what_was_acknowledged_is_in_the_ledger(self) -> None:
        """P3."""
        assert list(self.acknowledged) == self.all(DecisionRecorded)

    def enough_entitled_people_are_an_approval_and_nothing_else_is(self) -> None:
        """P1, P3 and P8: who corrected a text does not approve it alone."""
        quorum = self.all(OperationStarted)[0].policy.quorum
        approved = {event.version for event in self.all(ProposalApproved)}
        for opened in self.all(ProposalOpened):
            decided = self.all(DecisionRecorded)
            about = [event for event in decided if event.version == opened.version]
            people = {event.actor.id for event in about if event.decision == "approve"}
            before = [event for event in decided if event.version < opened.version]
            correctors = [event.actor.id for event in before if event.correction is not None]
            enough = len(people) >= quorum and all(people != {one} for one in correctors)
            assert enough == (opened.version in approved)

    def everybody_who_decided_was_entitled_to_and_in_time(self) -> None:
        """P1, P5 and P8."""
        requester = self.all(OperationStarted)[0].actor
        decided = self.all(DecisionRecorded)
        for event in decided:
            opened = self.opened(event.version)
            assert event.actor.kind == "person"
            assert event.actor.id != requester.id
            assert opened.required_role in self.roles[event.actor.id]
            assert event.digest == opened.digest
            assert opened.at <= event.at < opened.expires_at
        assert len({(event.version, event.actor.id) for event in decided}) == len(decided)

    def an_outcome_is_a_recorded_decision_or_a_passed_deadline(self) -> None:
        """P1, P2 and P5: nothing is approved, rejected or revised out of nothing."""
        for before, event in pairwise(self.events):
            if isinstance(event, tuple(CAUSES)):
                assert isinstance(before, DecisionRecorded)
                assert before.decision == CAUSES[type(event)]
                assert (before.actor, before.at) == (event.actor, event.at)
            if isinstance(event, ProposalExpired):
                assert event.actor == SYSTEM
                assert event.at >= self.opened(event.version).expires_at

    def versions_follow_each_other_and_escalate_once(self) -> None:
        policy = self.all(OperationStarted)[0].policy
        role = policy.reviewer_role
        for event in self.all(ProposalOpened):
            if event.origin == "escalation":
                assert policy.escalation_role not in {None, policy.reviewer_role}
                role = policy.escalation_role
            assert event.required_role == role
        opened = self.all(ProposalOpened)
        assert [event.version for event in opened] == list(range(1, len(opened) + 1))
        assert len(opened) <= 10
        assert [event.origin for event in opened].count("escalation") <= 1
        assert all(event.expires_at - event.at == self.window for event in opened)

    def a_next_version_offers_what_was_decided(self) -> None:
        """P1: the corrected text after a correction, the same one after an escalation."""
        decided = [event for event in self.all(DecisionRecorded) if event.decision == "revise"]
        corrections = {event.version: event.correction for event in decided}
        for before, event in pairwise(self.all(ProposalOpened)):
            expected = corrections.get(before.version, before.content)
            assert event.content == (expected or event.content)

    def a_reminder_goes_out_once_and_never_early(self) -> None:
        reminders = self.all(ReminderDue)
        assert len({(event.version, event.percent) for event in reminders}) == len(reminders)
        for event in reminders:
            opened = self.opened(event.version)
            due = opened.at + self.window * event.percent / 100
            assert due <= event.at < opened.expires_at

    def only_the_requester_withdraws_and_only_the_closing_follows(self) -> None:
        """P4: what was withdrawn is not decided, offered or claimed any more."""
        for withdrawn in self.all(OperationWithdrawn):
            assert withdrawn.actor == self.all(OperationStarted)[0].actor
            followers = self.events[self.events.index(withdrawn) + 1 :]
            assert all(isinstance(event, (OperationClosed, *NOTICES)) for event in followers)
            assert not self.all(ProposalRejected)

    def an_operation_ends_once_as_what_happened(self) -> None:
        """P9."""
        claimed = bool(self.all(WriteClaimed))
        proofs: dict[Outcome, bool] = {
            "published": bool(self.all(ReceiptRecorded)),
            "rejected": bool(self.all(ProposalRejected)),
            "withdrawn": bool(self.all(OperationWithdrawn)),
            "write_unknown": claimed,
            "expired": any(not event.escalated_to for event in self.all(ProposalExpired)),
            "needs_owner": len(self.all(ProposalSuperseded)) == 10,
        }
        for closed in self.all(OperationClosed):
            followers = self.events[self.events.index(closed) + 1 :]
            assert all(isinstance(event, NOTICES) for event in followers)
            assert proofs.get(closed.outcome, not claimed)
            if proofs["published"]:
                assert closed.outcome == "published"

    def a_notice_is_claimed_once_and_while_it_is_true(self) -> None:
        """Nobody hears twice of anything, or is asked to decide what can't be decided any more."""
        claims = self.all(NoticeClaimed)
        assert len({claim.notice for claim in claims}) == len(claims)
        for claim in claims:
            before = self.events[: self.events.index(claim)]
            kind, *numbers = claim.notice.split(":")
            if kind == "outcome":
                assert any(isinstance(event, OperationClosed) for event in before)
                continue
            opened = [event for event in before if isinstance(event, ProposalOpened)][-1]
            about = before[before.index(opened) :]
            reminded = [str(e.percent) for e in about if isinstance(e, ReminderDue)]
            assert numbers == [str(opened.version), *reminded[-1:]]
            assert kind == ("reminder" if reminded else "opened")
            assert claim.at < opened.expires_at
            ends = (*OUTCOMES, OperationWithdrawn, OperationClosed)
            assert not any(isinstance(event, ends) for event in about)

    def what_becomes_of_a_notice_follows_its_claim(self) -> None:
        for kind in (NoticeSent, NoticeInDoubt):
            results = self.all(kind)
            assert len({each.notice for each in results}) == len(results)
            for result in results:
                before = self.events[: self.events.index(result)]
                assert result.notice in [e.notice for e in before if isinstance(e, NoticeClaimed)]

    def a_question_is_a_reviewers_and_one_at_a_time(self) -> None:
        """P8: who could be asked to decide may ask, and about what can still be decided."""
        started = self.all(OperationStarted)[0]
        entitled = {started.policy.reviewer_role, started.policy.escalation_role}
        open_for: dict[str, str] = {}
        for event in self.events:
            if isinstance(event, QuestionAsked):
                assert event.actor.id != started.actor.id
                assert entitled & self.roles[event.actor.id]
                assert event.at < self.opened(event.version).expires_at
                assert event.actor.id not in open_for.values()
                open_for[event.question_id] = event.actor.id
            if isinstance(event, QuestionAnswered | QuestionFailed):
                assert open_for.pop(event.question_id)

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def opened(self, version: int) -> ProposalOpened:
        return self.all(ProposalOpened)[version - 1]

    @property
    def window(self) -> timedelta:
        return timedelta(seconds=self.all(OperationStarted)[0].policy.window_seconds)


def decided(operation: Operation) -> list[object]:
    """All of a state that decides anything; a question must make no difference to it."""
    versions = [
        (each.status, each.escalated_to, [event for _, event in each.decisions])
        for each in operation.proposals
    ]
    return [versions, operation.withdrawn, operation.claim, operation.receipt, operation.closed]


class Desk:
    """Where the commands of one operation are carried out, on a ledger in memory."""

    def __init__(self, requester: Person, policy: Policy) -> None:
        self.now = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)
        self.acknowledged: list[DecisionRecorded] = []
        started = OperationStarted(
            at=self.now,
            actor=requester.actor,
            kind="research",
            title="Tides",
            request="request",
            policy=policy,
        )
        self.rows = chain(TENANT, OPERATION, None, [started])
        self.state = begin(TENANT, OPERATION, started)

    @property
    def due(self) -> Next:
        return next_step(self.state, len(self.state.proposals))

    @property
    def approved(self) -> bool:
        return any(isinstance(row.event, ProposalApproved) for row in self.rows)

    def carry_out(self, command: Command, seen: Operation | None = None) -> Answer:
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

    def append(self, expected_sequence: int, events: Sequence[Event]) -> None:
        if events and expected_sequence != len(self.rows):
            raise Conflict
        self.rows += chain(TENANT, OPERATION, self.rows[-1], events)
        for event in events:
            self.state = evolve(self.state, event)

    def offer_what_is_due(self) -> None:
        before = self.state.current
        version = len(self.state.proposals) + 1
        content = before.content if before and before.status == "expired" else None
        command = rules.Open(
            version=version,
            digest=f"digest-{version}",
            content=content or (before and before.correction) or "draft",
            evidence="evidence",
        )
        assert self.carry_out(lambda operation, now: rules.open_proposal(operation, command, now))
        assert len(self.state.proposals) == version

    def shows_the_promises_kept(
        self, roles: Mapping[str, frozenset[str]], written: tuple[str, int] | None
    ) -> None:
        events = [row.event for row in self.rows]
        assert verify(TENANT, OPERATION, self.rows) is None
        assert fold(TENANT, OPERATION, events) == self.state
        silent = fold(TENANT, OPERATION, [e for e in events if not isinstance(e, QUESTIONS)])
        assert silent
        assert decided(silent) == decided(self.state)
        witness = Witness(
            events=events, roles=roles, acknowledged=self.acknowledged, written=written
        )
        witness.finds_the_promises_kept()


@pytest.fixture
def desk() -> type[Desk]:
    """What opens a desk for an operation."""
    return Desk
