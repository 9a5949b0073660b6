"""Everybody at once: people, clocks, crashes, repeats and races, against the promises.

The promises are checked on the list of events alone, in words of their own: nothing here asks the
rules or the fold what is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TypeAlias, TypeVar, get_args

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from countersign.approvals import rules
from countersign.approvals.errors import Conflict
from countersign.approvals.events import (
    Decision,
    DecisionRecorded,
    Event,
    OperationClosed,
    OperationStarted,
    OperationWithdrawn,
    Outcome,
    ProposalApproved,
    ProposalExpired,
    ProposalOpened,
    ProposalRejected,
    ProposalSuperseded,
    ReceiptRecorded,
    ReminderDue,
    WriteClaimed,
)
from countersign.approvals.ledger import Row, chain, verify
from countersign.approvals.operation import Operation, evolve, fold
from countersign.approvals.person import SYSTEM, Person
from countersign.approvals.policy import Policy
from countersign.approvals.rules import Answer
from countersign.approvals.standing import Next, next_step, next_wake

TENANT, OPERATION = "contoso", "op-1"
START = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)
WINDOW = 100.0
DECISIONS: list[Decision] = ["approve", "approve", "approve", "revise", "revise", "reject"]
TICK = timedelta(microseconds=1)
OUTCOMES = (ProposalApproved, ProposalRejected, ProposalSuperseded, ProposalExpired)

Command: TypeAlias = Callable[[Operation, datetime], Answer]
Publisher: TypeAlias = Generator[None, None, None]
E = TypeVar("E", bound=Event)


def _person(name: str, *roles: str, tenant: str = TENANT) -> Person:
    return Person(id=name, name=name, tenant=tenant, roles=frozenset(roles))


REQUESTER = _person("rita", "Reviewer", "Escalation")
PEOPLE = [
    REQUESTER,
    _person("ann", "Reviewer"),
    _person("bob", "Reviewer"),
    _person("cyd", "Reviewer", "Escalation"),
    _person("eve", "Escalation"),
    _person("olaf", "Auditor"),
    _person("stranger", "Reviewer", "Escalation", tenant="fabrikam"),
]
ROLES = {person.id: person.roles for person in PEOPLE if person.tenant == TENANT}

policies = st.builds(
    Policy,
    reviewer_role=st.just("Reviewer"),
    escalation_role=st.sampled_from(["Escalation", "Escalation", "Reviewer", None]),
    quorum=st.integers(1, 3),
    window_seconds=st.just(WINDOW),
    reminders=st.sampled_from([(), (50, 90)]),
)
anybody = st.sampled_from(PEOPLE)
ages = st.sampled_from([0] * 8 + [1, 2, 20])
flaws = st.sampled_from([None] * 8 + ["person", "version", "digest", "comment", "correction"])


@st.composite
def decisions(draw: st.DrawFn) -> Command:
    """A decision by an entitled person about the newest version, with at most one flaw."""
    flaw, seat = draw(flaws), draw(st.integers(0, 2))
    stranger, age = draw(anybody), draw(st.sampled_from([1, 2, 20])) if flaw == "version" else 0
    decision = draw(st.sampled_from(DECISIONS))
    corrects = flaw == "correction" or (decision == "revise" and draw(st.booleans()))
    comment = "" if flaw == "comment" else draw(st.sampled_from(["shorter", "longer"]))

    def decide(operation: Operation, now: datetime) -> Answer:
        version = len(operation.proposals) - age
        entitled = _entitled(operation)
        command = rules.Decide(
            reviewer=stranger if flaw == "person" else entitled[seat % len(entitled)],
            version=version,
            digest=_digest(version - 1 if flaw == "digest" else version),
            decision=decision,
            comment=comment,
            correction="edited" if corrects else None,
        )
        return rules.decide(operation, command, now)

    return decide


@st.composite
def withdrawals(draw: st.DrawFn) -> Command:
    """A withdrawal by anybody."""
    who = draw(anybody)
    return lambda operation, now: rules.withdraw(operation, who, "", now)


@st.composite
def settlings(draw: st.DrawFn) -> Command:
    """A look at any version: the doorbell may ring at any time, forged or not."""
    age = draw(ages)
    return lambda operation, now: rules.settle(operation, len(operation.proposals) - age, now)


@st.composite
def openings(draw: st.DrawFn) -> Command:
    """A version that the work offers: the next one, an old one again, or one out of order."""
    ahead = draw(st.sampled_from([1, 1, 1, 0, 2]))
    content = draw(st.sampled_from(["draft", "edited"]))

    def offer(operation: Operation, now: datetime) -> Answer:
        version = len(operation.proposals) + ahead
        command = rules.Open(
            version=version, digest=_digest(version), content=content, evidence="evidence"
        )
        return rules.open_proposal(operation, command, now)

    return offer


@st.composite
def closings(draw: st.DrawFn) -> Command:
    """A closing with any outcome, true or not."""
    outcome: Outcome | None = draw(st.sampled_from([None, None, *get_args(Outcome)]))
    return lambda operation, now: rules.close(operation, outcome, "", now)


@st.composite
def claims(draw: st.DrawFn) -> Command:
    """A claim or a receipt out of the blue, as no honest publisher would make one."""
    age, digest_age = draw(ages), draw(ages)

    def claim(operation: Operation, now: datetime) -> Answer:
        newest = len(operation.proposals)
        return rules.claim_write(operation, newest - age, _digest(newest - digest_age), now)

    return claim


commands = decisions() | decisions() | openings() | settlings() | claims()
endings = withdrawals() | closings()


def _entitled(operation: Operation) -> list[Person]:
    current = operation.current
    assert current is not None
    return [person for person in PEOPLE[1:] if current.required_role in ROLES.get(person.id, ())]


def _digest(version: int) -> str:
    return f"digest-{version}"


@dataclass
class Destination:
    """Where reports go: it knows its writes by operation, and sometimes can't tell."""

    tells: bool = True
    written: list[tuple[str, int]] | None = None

    def write(self, digest: str, sequence: int) -> None:
        # The guard of the real ones (`If-None-Match: *`, `Idempotency-Key`).
        if self.written is None:
            self.written = [(digest, sequence)]


class Approvals(RuleBasedStateMachine):
    """One operation, everybody who may or may not touch it, and time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.rows: list[Row] = []
        self.state: Operation
        self.policy: Policy
        self.destination: Destination
        self.publishers: list[Publisher]
        self.acknowledged: list[DecisionRecorded]

    @initialize(policy=policies)
    def start(self, policy: Policy) -> None:
        self.policy = policy
        self.destination = Destination()
        self.publishers = []
        self.acknowledged = []
        started = OperationStarted(
            at=self.now,
            actor=REQUESTER.actor,
            kind="research",
            title="Tides",
            request="request",
            policy=policy,
        )
        self.rows = chain(TENANT, OPERATION, None, [started])
        self.state = self.read()
        self.offer_what_is_due()

    # The ledger: whoever expects another length than it has was too slow.

    @property
    def events(self) -> list[Event]:
        return [row.event for row in self.rows]

    def read(self) -> Operation:
        operation = fold(TENANT, OPERATION, self.events)
        assert operation is not None
        return operation

    def append(self, expected_sequence: int, events: Sequence[Event]) -> None:
        if expected_sequence != len(self.rows):
            raise Conflict
        self.rows += chain(TENANT, OPERATION, self.rows[-1], events)
        for event in events:
            self.state = evolve(self.state, event)

    def carry_out(self, command: Command, seen: Operation | None = None) -> Answer:
        """Decide on what was read, append, and on a conflict read and decide again."""
        operation = seen or self.read()
        while True:
            answer = command(operation, self.now)
            if not isinstance(answer, tuple):
                return answer
            try:
                if answer:
                    self.append(operation.sequence, answer)
            except Conflict:
                operation = self.read()
            else:
                self.acknowledged += _those(answer, DecisionRecorded)
                return answer

    # What people, processes and time do.

    @precondition(lambda self: _due(self.state) == "close")
    @rule(policy=policies)
    def go_on_with_another_operation(self, policy: Policy) -> None:
        self.finish()
        self.start(policy)

    @rule(decision=decisions())
    def decide(self, decision: Command) -> None:
        self.carry_out(decision)

    @rule(command=commands)
    def act(self, command: Command) -> None:
        self.carry_out(command)

    @precondition(lambda self: _due(self.state) in {"revise", "escalate"})
    @rule()
    def offer_the_next_version(self) -> None:
        self.offer_what_is_due()

    @precondition(lambda self: len(self.rows) > 5)
    @rule(command=endings)
    def end(self, command: Command) -> None:
        self.carry_out(command)

    @rule(decision=decisions(), ending=endings, ending_first=st.booleans())
    def race_with_an_ending(self, decision: Command, ending: Command, ending_first: bool) -> None:
        seen = self.read()
        for racer in (ending, decision) if ending_first else (decision, ending):
            self.carry_out(racer, seen)

    @rule(command=commands)
    def act_and_lose_the_reply(self, command: Command) -> None:
        before = len(self.rows)
        first = self.carry_out(command)
        changed = len(self.rows) > before
        again = self.carry_out(command)
        if not changed:
            assert again == first

    @rule(first=decisions(), second=commands)
    def race(self, first: Command, second: Command) -> None:
        seen = self.read()
        self.carry_out(first, seen)
        self.carry_out(second, seen)

    @rule(decision=decisions())
    def decide_the_same_twice(self, decision: Command) -> None:
        if _those(self.carry_out(decision), DecisionRecorded) and self.state.current:
            assert self.carry_out(decision) == ()

    @rule(seconds=st.sampled_from([0.5, 1.0, 5.0]))
    def let_time_pass(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    @precondition(lambda self: _due(self.state) == "wait")
    @rule(early=st.sampled_from([TICK, TICK, TICK, timedelta()]))
    def go_to_the_deadline(self, early: timedelta) -> None:
        current = self.state.current
        assert current is not None
        self.now = max(self.now, current.expires_at - early)

    @precondition(lambda self: _due(self.state) == "wait")
    @rule(by_timer=st.sampled_from([False, False, True]))
    def wake_the_gate(self, by_timer: bool) -> None:
        current = self.state.current
        assert current is not None
        if by_timer:
            self.now = max(self.now, next_wake(self.state, current))
        self.carry_out(lambda operation, now: rules.settle(operation, current.version, now))

    @rule(tells=st.booleans())
    def change_what_the_destination_can_tell(self, tells: bool) -> None:
        self.destination.tells = tells

    @precondition(lambda self: _those(self.events, ProposalApproved) != [])
    @rule(steps=st.integers(1, 5))
    def start_a_publisher(self, steps: int) -> None:
        self.publishers.append(self.publisher())
        self.run(self.publishers[-1], steps)

    @precondition(lambda self: self.publishers)
    @rule(data=st.data(), steps=st.integers(1, 5))
    def let_a_publisher_go_on(self, data: st.DataObject, steps: int) -> None:
        self.run(data.draw(st.sampled_from(self.publishers)), steps)

    @precondition(lambda self: self.publishers)
    @rule()
    def kill_a_publisher(self) -> None:
        self.publishers.pop(0)

    def run(self, publisher: Publisher, steps: int) -> None:
        for _ in range(steps):
            next(publisher, None)

    def publisher(self) -> Publisher:
        """Publish as the activity does; each yield is a moment at which the process may die."""
        version = len(self.state.proposals)
        answer = self.carry_out(
            lambda operation, now: rules.claim_write(operation, version, _digest(version), now)
        )
        if not isinstance(answer, tuple):
            return
        yield
        claimed_before = not answer
        if claimed_before and not self.destination.tells:
            self.carry_out(lambda operation, now: rules.close(operation, "write_unknown", "", now))
            return
        found = claimed_before and self.destination.written
        yield
        if not found:
            self.destination.write(_digest(version), len(self.rows))
        yield
        self.carry_out(lambda operation, now: rules.record_receipt(operation, {"url": "b"}, now))
        yield
        self.carry_out(lambda operation, now: rules.close(operation, None, "", now))

    # The promises.

    @invariant()
    def state_is_the_fold_of_an_intact_chain(self) -> None:
        assert verify(TENANT, OPERATION, self.rows) is None
        assert self.read() == self.state

    @invariant()
    def only_the_approved_digest_is_written_and_at_most_once(self) -> None:
        """P1 and P4."""
        claims = _those(self.events, WriteClaimed)
        approved = {event.version for event in _those(self.events, ProposalApproved)}
        assert len(claims) <= 1
        assert len(_those(self.events, ReceiptRecorded)) <= len(claims)
        for claim in claims:
            assert claim.version in approved
            assert claim.digest == _digest(claim.version)
            assert not _those(self.events, OperationWithdrawn)
        for digest, sequence in self.destination.written or []:
            assert [claim.digest for claim in claims] == [digest]
            assert self.events.index(claims[0]) < sequence

    @invariant()
    def a_version_has_one_outcome_and_nothing_follows_it(self) -> None:
        """P2 and the half of P5 that says that an expired version is never approved."""
        for opened in _those(self.events, ProposalOpened):
            about = [event for event in self.events if _version(event) == opened.version]
            about = [e for e in about if not isinstance(e, WriteClaimed | ReceiptRecorded)]
            ends = [index for index, event in enumerate(about) if isinstance(event, OUTCOMES)]
            assert ends in ([], [len(about) - 1])

    @invariant()
    def what_was_acknowledged_is_in_the_ledger(self) -> None:
        """P3."""
        assert self.acknowledged == _those(self.events, DecisionRecorded)

    @invariant()
    def an_approval_is_one_by_enough_entitled_people_in_time(self) -> None:
        """P1, P5 and P8."""
        for approved in _those(self.events, ProposalApproved):
            people = self.approvers(approved.version)
            assert len(people) >= self.policy.quorum
            for corrector in self.correctors_before(approved.version):
                assert people != {corrector}

    @invariant()
    def enough_approvals_are_an_approval(self) -> None:
        """P3: what was recorded in time counts, whatever else happens."""
        approved = {event.version for event in _those(self.events, ProposalApproved)}
        for opened in _those(self.events, ProposalOpened):
            people = self.approvers(opened.version)
            lone = any(people == {one} for one in self.correctors_before(opened.version))
            if len(people) >= self.policy.quorum and not lone:
                assert opened.version in approved

    @invariant()
    def everybody_who_decided_was_entitled_to_and_in_time(self) -> None:
        """P1, P5 and P8."""
        opened = {event.version: event for event in _those(self.events, ProposalOpened)}
        for event in _those(self.events, DecisionRecorded):
            assert event.actor.kind == "person"
            assert event.actor.id != REQUESTER.id
            assert opened[event.version].required_role in ROLES[event.actor.id]
            assert event.digest == opened[event.version].digest
            assert opened[event.version].at <= event.at < opened[event.version].expires_at

    @invariant()
    def an_outcome_is_somebodys_recorded_decision_or_a_passed_deadline(self) -> None:
        """P1, P2 and P5: no approval, rejection or revision out of nothing."""
        causes = {
            ProposalApproved: "approve",
            ProposalRejected: "reject",
            ProposalSuperseded: "revise",
        }
        for before, event in zip(self.events, self.events[1:], strict=False):
            if type(event) in causes:
                assert isinstance(before, DecisionRecorded)
                assert before.decision == causes[type(event)]
                assert (before.actor, before.at) == (event.actor, event.at)
            if isinstance(event, ProposalExpired):
                opened = _those(self.events, ProposalOpened)[event.version - 1]
                assert event.actor == SYSTEM
                assert event.at >= opened.expires_at

    @invariant()
    def versions_follow_each_other_and_escalate_once(self) -> None:
        opened = _those(self.events, ProposalOpened)
        assert [event.version for event in opened] == list(range(1, len(opened) + 1))
        assert len(opened) <= 10
        assert [event.origin for event in opened].count("escalation") <= 1
        assert all(event.expires_at - event.at == timedelta(seconds=WINDOW) for event in opened)

    @invariant()
    def a_reminder_goes_out_once_and_never_early(self) -> None:
        reminders = _those(self.events, ReminderDue)
        assert len({(event.version, event.percent) for event in reminders}) == len(reminders)
        for event in reminders:
            opened = _those(self.events, ProposalOpened)[event.version - 1]
            due = timedelta(seconds=WINDOW * event.percent / 100)
            assert opened.at + due <= event.at < opened.expires_at

    @invariant()
    def nothing_follows_the_closing_and_only_the_closing_a_withdrawal(self) -> None:
        closings = [i for i, e in enumerate(self.events) if isinstance(e, OperationClosed)]
        assert closings in ([], [len(self.rows) - 1])
        for index, event in enumerate(self.events):
            if isinstance(event, OperationWithdrawn):
                assert all(isinstance(e, OperationClosed) for e in self.events[index + 1 :])

    @invariant()
    def an_operation_ends_as_what_happened(self) -> None:
        """P9."""
        proofs: dict[Outcome, bool] = {
            "published": bool(_those(self.events, ReceiptRecorded)),
            "rejected": bool(_those(self.events, ProposalRejected)),
            "withdrawn": bool(_those(self.events, OperationWithdrawn)),
            "write_unknown": bool(_those(self.events, WriteClaimed)),
            "expired": any(not e.escalated_to for e in _those(self.events, ProposalExpired)),
            "needs_owner": len(_those(self.events, ProposalSuperseded)) > 0,
        }
        for closed in _those(self.events, OperationClosed):
            assert proofs.get(closed.outcome, not _those(self.events, WriteClaimed))

    def teardown(self) -> None:
        if self.rows:
            self.finish()

    def finish(self) -> None:
        """From anywhere, going on as the orchestrator would ends the operation (P3, P4)."""
        self.destination.tells = True
        for _ in range(100):
            if self.state.closed:
                break
            self.go_on()
        closed = self.state.closed
        assert closed is not None
        self.state_is_the_fold_of_an_intact_chain()
        self.only_the_approved_digest_is_written_and_at_most_once()
        if closed.outcome == "published":
            assert self.destination.written
        approved = _those(self.events, ProposalApproved)
        if approved and closed.outcome not in {"withdrawn", "failed", "write_unknown"}:
            assert closed.outcome == "published"

    def go_on(self) -> None:
        step = _due(self.state)
        if step == "publish":
            for _ in self.publisher():
                pass
        elif step == "wait" and len(self.rows) % 2:
            self.everybody_approves()
        elif step == "wait":
            self.wake_the_gate(by_timer=True)
        elif step == "close":
            answer = self.carry_out(lambda operation, now: rules.close(operation, None, "", now))
            assert answer
        else:
            self.offer_what_is_due()

    def everybody_approves(self) -> None:
        current = self.state.current
        assert current is not None
        for person in _entitled(self.state):
            command = rules.Decide(
                reviewer=person,
                version=current.version,
                digest=current.digest,
                decision="approve",
            )
            self.carry_out(lambda operation, now, it=command: rules.decide(operation, it, now))
        self.wake_the_gate(by_timer=True)

    def offer_what_is_due(self) -> None:
        before = self.state.current
        version = before.version + 1 if before else 1
        content = "draft"
        if before and before.status == "expired":
            content = before.content
        elif before:
            content = before.decisions[-1][1].correction or content
        command = rules.Open(
            version=version, digest=_digest(version), content=content, evidence="evidence"
        )
        answer = self.carry_out(lambda operation, now: rules.open_proposal(operation, command, now))
        assert _those(answer, ProposalOpened)

    # Who approved and who corrected, told from the events alone.

    def approvers(self, version: int) -> set[str]:
        decided = _those(self.events, DecisionRecorded)
        return {
            event.actor.id
            for event in decided
            if (event.version, event.decision) == (version, "approve")
        }

    def correctors_before(self, version: int) -> set[str]:
        decided = _those(self.events, DecisionRecorded)
        return {
            event.actor.id
            for event in decided
            if event.version < version and event.correction is not None
        }


def _those(answer: Answer | Sequence[Event], kind: type[E]) -> list[E]:
    events = answer if isinstance(answer, Sequence) else ()
    return [event for event in events if isinstance(event, kind)]


def _due(operation: Operation) -> Next:
    return next_step(operation, len(operation.proposals))


def _version(event: Event) -> int | None:
    return getattr(event, "version", None)


class TestApprovals(Approvals.TestCase):
    """What Hypothesis plays, with each promise checked after each step."""

    settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
