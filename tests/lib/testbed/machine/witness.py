"""A witness who knows the promises and no rules: all that is judged is a list of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise

from countersign.approvals.events import (
    ApprovalTakenBack,
    DecisionRecorded,
    NoticeClaimed,
    NoticeInDoubt,
    NoticeSent,
    OperationClosed,
    OperationStopped,
    OperationWithdrawn,
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
    RetryRequested,
    RevisionFailed,
    WorkHeld,
    WorkResumed,
    WriteClaimed,
    WriteRefused,
)
from countersign.approvals.outcome import Outcome
from countersign.approvals.person import SYSTEM
from testbed.machine.seats import Seats

CAUSES = {ProposalApproved: "approve", ProposalRejected: "reject", ProposalSuperseded: "revise"}
OUTCOMES = (*CAUSES, ProposalExpired)
NOTICES = (NoticeClaimed, NoticeSent, NoticeInDoubt)


@dataclass(frozen=True, kw_only=True)
class Witness(Seats):
    """What was seen from outside.

    Each promise is checked on the list of events alone, in words of its own: nothing here asks the
    rules or the fold what is legal.

    Attributes:
        acknowledged: the decisions that were answered as recorded, in that order.
        written: the digest at the destination, if any, and how long the ledger was at the write.
    """

    acknowledged: Sequence[DecisionRecorded]
    written: tuple[str, int] | None

    def finds_the_promises_kept(self) -> None:
        self.only_the_approved_digest_is_written_and_at_most_once()
        self.each_try_to_write_is_claimed_and_none_but_its_own_refusal_ends_it()
        self.a_version_has_one_outcome_and_nothing_follows_it()
        self.what_was_acknowledged_is_in_the_ledger()
        self.enough_entitled_people_are_an_approval_and_nothing_else_is()
        self.everybody_who_decided_was_entitled_to_and_in_time()
        self.only_an_own_approval_is_taken_back_and_once()
        self.an_escalation_keeps_approvals_of_the_same_content_that_do_not_suffice()
        self.an_outcome_is_a_recorded_decision_or_a_passed_deadline()
        self.versions_follow_each_other_and_escalate_once()
        self.a_next_version_offers_what_was_decided()
        self.a_reminder_goes_out_once_and_never_early()
        self.only_the_requester_withdraws_and_only_the_closing_follows()
        self.only_an_operator_stops_and_nothing_that_was_approved()
        self.an_operation_ends_as_what_happened_and_again_only_if_it_is_confirmed_late()
        self.a_notice_is_reserved_once_and_while_it_is_true()
        self.what_becomes_of_a_notice_follows_its_reservation()
        self.a_question_is_a_reviewers_and_one_at_a_time()
        self.a_try_is_asked_for_once_after_a_failure_and_by_those_who_may()

    def only_the_approved_digest_is_written_and_at_most_once(self) -> None:
        """P1 and P4."""
        reservations = self.all(WriteClaimed)
        approved = [event.version for event in self.all(ProposalApproved)]
        for reservation in reservations:
            assert reservation.version in approved
            assert reservation.digest == self.opened(reservation.version).digest
        if self.written:
            digest, length = self.written
            assert {reservation.digest for reservation in reservations} == {digest}
            assert reservations[0] in self.events[:length]

    def each_try_to_write_is_claimed_and_none_but_its_own_refusal_ends_it(self) -> None:
        """P4 and P9."""
        known: set[str | None] = set()
        for event in self.events:
            if isinstance(event, WriteClaimed):
                assert event.attempt not in known
                known.add(event.attempt)
            if isinstance(event, WriteRefused):
                known.remove(event.attempt)
        assert len(self.all(ReceiptRecorded)) <= bool(self.all(WriteClaimed))
        assert not (self.reserved and self.all(OperationWithdrawn))
        assert not (self.written and self.all(WriteRefused))

    def a_version_has_one_outcome_and_nothing_follows_it(self) -> None:
        """P2, and of P5 that an expired version is never approved."""
        for opened in self.all(ProposalOpened):
            about = [
                event
                for event in self.events
                if getattr(event, "version", None) == opened.version
                and not isinstance(
                    event, (WriteClaimed, WriteRefused, ReceiptRecorded, RevisionFailed)
                )
            ]
            ends = [place for place, event in enumerate(about) if isinstance(event, OUTCOMES)]
            assert ends in ([], [len(about) - 1])

    def what_was_acknowledged_is_in_the_ledger(self) -> None:
        """P3."""
        assert list(self.acknowledged) == self.all(DecisionRecorded)

    def enough_entitled_people_are_an_approval_and_nothing_else_is(self) -> None:
        """P1, P3 and P8: who goes beyond a content does not approve that alone."""
        approved = {event.version for event in self.all(ProposalApproved)}
        for opened in self.all(ProposalOpened):
            people = self.approving(opened, self.events)
            assert self.suffices(opened, people) == (opened.version in approved)

    def everybody_who_decided_was_entitled_to_and_in_time(self) -> None:
        """P1, P5 and P8."""
        decided = self.all(DecisionRecorded)
        for event in decided:
            opened = self.opened(event.version)
            asked = self.asked(opened) & self.roles[event.actor.id]
            assert event.actor.kind == "person"
            assert event.actor.id != self.started.actor.id
            assert asked == set(event.roles) != set()
            assert event.digest == opened.digest
            assert opened.at <= event.at < opened.expires_at
            if event.decision == "revise":
                # The last version takes a wish in words, and leaves the matter to its owner.
                assert self.started.policy.has_team or event.correction or event.version == 10
            if event.decision == "reject":
                assert event.comment
            if event.version == 10:
                assert event.correction is None
        standing = [event for event in decided if not self.taken_back(event, self.events)]
        assert len({(event.version, event.actor.id) for event in standing}) == len(standing)

    def only_an_own_approval_is_taken_back_and_once(self) -> None:
        """P1 and P8: both are kept, and it happens before the version has its outcome."""
        taken = self.all(ApprovalTakenBack)
        assert len({event.approval for event in taken}) == len(taken)
        for event in taken:
            approval = self.events[event.approval - 1]
            assert isinstance(approval, DecisionRecorded)
            assert (approval.decision, approval.actor) == ("approve", event.actor)
            assert approval in self.events[: self.events.index(event)]
            opened = self.opened(event.version)
            assert approval.version == event.version or event.approval in opened.kept
            assert event.at < opened.expires_at

    def an_escalation_keeps_approvals_of_the_same_content_that_do_not_suffice(self) -> None:
        """P1: what nobody has decided about since is approved by nobody."""
        for opened in self.all(ProposalOpened):
            kept = self.kept(opened)
            assert not kept or opened.origin == "escalation"
            before = self.events[: self.events.index(opened)]
            for event in kept:
                assert event.decision == "approve"
                assert not self.taken_back(event, before)
                assert self.opened(event.version).content == opened.content
            assert not self.suffices(opened, {event.actor.id for event in kept})

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
        policy = self.started.policy
        role = policy.reviewer_role
        for event in self.all(ProposalOpened):
            if event.origin == "escalation":
                assert policy.escalation_role not in {None, policy.reviewer_role}
                role = policy.escalation_role
            assert event.asked_before == (
                None if role == policy.reviewer_role else policy.reviewer_role
            )
            assert event.required_role == role
            assert (event.quorum, event.countersigner_role) == self.seats(event)
            assert self.cost(event) == (event.amount and event.amount.amount)
        opened = self.all(ProposalOpened)
        assert [event.version for event in opened] == list(range(1, len(opened) + 1))
        assert len(opened) <= 10
        assert [event.origin for event in opened].count("escalation") <= 1
        assert all(event.expires_at - event.at == self.window for event in opened)

    def a_next_version_offers_what_was_decided(self) -> None:
        """P1: the corrected text after a correction, else the same one unless it was rewritten."""
        decided = [event for event in self.all(DecisionRecorded) if event.decision == "revise"]
        corrections = {event.version: event.correction for event in decided}
        unrevised = {event.version for event in self.all(RevisionFailed)}
        assert all(corrections[version] is None for version in unrevised)
        for before, event in pairwise(self.all(ProposalOpened)):
            expected = corrections.get(before.version, before.content)
            if before.version in unrevised:
                expected = before.content
            assert event.content == (expected or event.content)
            assert (event.origin == "unchanged") == (before.version in unrevised)

    def a_reminder_goes_out_once_and_never_early(self) -> None:
        reminders = self.all(ReminderDue)
        assert len({(event.version, event.percent) for event in reminders}) == len(reminders)
        for event in reminders:
            opened = self.opened(event.version)
            due = opened.at + self.window * event.percent / 100
            assert due <= event.at < opened.expires_at

    def only_the_requester_withdraws_and_only_the_closing_follows(self) -> None:
        """P4: what was withdrawn is not decided, offered or reserved any more."""
        for withdrawn in self.all(OperationWithdrawn):
            assert withdrawn.actor == self.started.actor
            followers = self.events[self.events.index(withdrawn) + 1 :]
            after = (OperationClosed, ReceiptRecorded, *NOTICES)
            assert all(isinstance(event, after) for event in followers)
            assert not self.all(ProposalRejected)

    def only_an_operator_stops_and_nothing_that_was_approved(self) -> None:
        for stopped in self.all(OperationStopped):
            assert "Operator" in self.roles[stopped.actor.id]
            assert not self.all(ProposalApproved)
            followers = self.events[self.events.index(stopped) + 1 :]
            after = (OperationClosed, *NOTICES)
            assert all(isinstance(event, after) for event in followers)

    def an_operation_ends_as_what_happened_and_again_only_if_it_is_confirmed_late(self) -> None:
        """P9."""
        ends = [
            place for place, each in enumerate(self.events) if isinstance(each, OperationClosed)
        ]
        for place in ends:
            replace(self, events=self.events[: place + 1]).ended_as_what_had_happened()
        if len(ends) > 1:
            first, last = ends
            assert isinstance(self.events[last - 1], ReceiptRecorded)
            assert all(isinstance(each, NOTICES) for each in self.events[first + 1 : last - 1])
        if ends:
            assert all(isinstance(each, NOTICES) for each in self.events[ends[-1] + 1 :])

    def ended_as_what_had_happened(self) -> None:
        closed = self.all(OperationClosed)[-1]
        received = bool(self.all(ReceiptRecorded))
        written: Outcome = "ordered" if self.is_purchase else "published"
        proofs: dict[Outcome, bool] = {
            "published": False,
            "ordered": False,
            written: received,
            "rejected": bool(self.all(ProposalRejected)),
            "withdrawn": bool(self.all(OperationWithdrawn)),
            "stopped": bool(self.all(OperationStopped)),
            "write_unknown": self.reserved,
            "expired": any(not event.escalated_to for event in self.all(ProposalExpired)),
            "needs_owner": len(self.all(ProposalSuperseded)) == 10,
        }
        assert proofs.get(closed.outcome, not self.reserved)
        assert received == (closed.outcome == written)

    def a_notice_is_reserved_once_and_while_it_is_true(self) -> None:
        """Nobody hears twice of anything, or is asked to decide what can't be decided any more."""
        reservations = self.all(NoticeClaimed)
        assert len({reservation.notice for reservation in reservations}) == len(reservations)
        for reservation in reservations:
            before = self.events[: self.events.index(reservation)]
            kind, *numbers = reservation.notice.split(":")
            if kind == "outcome":
                assert any(isinstance(event, OperationClosed) for event in before)
                continue
            if kind == "held":
                assert isinstance(self.events[int(numbers[0]) - 1], WorkHeld)
                continue
            opened = [event for event in before if isinstance(event, ProposalOpened)][-1]
            about = before[before.index(opened) :]
            reminded = [str(e.percent) for e in about if isinstance(e, ReminderDue)]
            also = ["countersign"] if self.lacks_only_its_countersigner(opened, about) else []
            assert numbers == [str(opened.version), *reminded[-1:], *also]
            assert kind == ("reminder" if reminded else "opened")
            assert reservation.at < opened.expires_at
            ends = (*OUTCOMES, OperationWithdrawn, OperationStopped, OperationClosed)
            assert not any(isinstance(event, ends) for event in about)

    def what_becomes_of_a_notice_follows_its_reservation(self) -> None:
        for kind in (NoticeSent, NoticeInDoubt):
            results = self.all(kind)
            assert len({each.notice for each in results}) == len(results)
            for result in results:
                before = self.events[: self.events.index(result)]
                assert result.notice in [e.notice for e in before if isinstance(e, NoticeClaimed)]

    def a_question_is_a_reviewers_and_one_at_a_time(self) -> None:
        """P8: who could be asked to decide may ask, and about what can still be decided."""
        policy = self.started.policy
        entitled = {policy.reviewer_role, policy.escalation_role}
        open_for: dict[str, str] = {}
        for event in self.events:
            if isinstance(event, QuestionAsked):
                assert policy.has_team
                assert event.actor.id != self.started.actor.id
                assert entitled & self.roles[event.actor.id]
                assert event.at < self.opened(event.version).expires_at
                assert event.actor.id not in open_for.values()
                open_for[event.question_id] = event.actor.id
            if isinstance(event, QuestionAnswered | QuestionFailed):
                assert open_for.pop(event.question_id)

    def a_try_is_asked_for_once_after_a_failure_and_by_those_who_may(self) -> None:
        """P8: the requester or an operator has it tried again, where an operator was needed."""
        waits = False
        for event in self.events:
            if isinstance(event, RetryRequested):
                assert waits
                may = event.actor == self.started.actor or "Operator" in self.roles[event.actor.id]
                assert may
            if isinstance(event, WorkHeld | RetryRequested | ProposalOpened | WorkResumed):
                waits = isinstance(event, WorkHeld) and event.needs_operator

    @property
    def window(self) -> timedelta:
        return timedelta(seconds=self.started.policy.window_seconds)

    @property
    def reserved(self) -> bool:
        """Whether a write was reserved and not refused."""
        claimed = [event.attempt for event in self.all(WriteClaimed)]
        for event in self.all(WriteRefused):
            claimed.remove(event.attempt)
        return bool(claimed)
