"""Everybody at once: people, clocks, crashes, repeats and races, against the promises."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias, get_args

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from countersign.approvals import questions, rules
from countersign.approvals.events import Decision, Outcome
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.approvals.rules import Answer
from countersign.approvals.standing import due_notice, next_wake

if TYPE_CHECKING:
    from conftest import Desk

TENANT = "contoso"
WINDOW = 100.0
DECISIONS: list[Decision] = ["approve", "approve", "approve", "revise", "revise", "reject"]
TICK = timedelta(microseconds=1)

Command: TypeAlias = Callable[[Operation, datetime], Answer]
Publisher: TypeAlias = Generator[None, None, None]
Notifier: TypeAlias = Generator[None, None, None]


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
    quorum=st.sampled_from([1, 1, 2, 3]),
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
    who = draw(st.just(REQUESTER) | anybody)
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
    outcome: Outcome | None = draw(st.sampled_from([None, "failed", *get_args(Outcome)]))
    return lambda operation, now: rules.close(operation, outcome, "", now)


@st.composite
def claims(draw: st.DrawFn) -> Command:
    """A claim out of the blue, as no honest publisher would make one."""
    age, digest_age = draw(ages), draw(ages)

    def claim(operation: Operation, now: datetime) -> Answer:
        newest = len(operation.proposals)
        return rules.claim_write(operation, newest - age, _digest(newest - digest_age), now)

    return claim


@st.composite
def receipts(draw: st.DrawFn) -> Command:
    """A receipt, whether or not anything was claimed."""
    url = draw(st.sampled_from(["here", "elsewhere"]))
    return lambda operation, now: rules.record_receipt(operation, {"url": url}, now)


@st.composite
def notices(draw: st.DrawFn) -> Command:
    """A notice that somebody claims or says to have sent, due or not."""
    kind = draw(st.sampled_from(["opened:{}", "reminder:{}:50", "reminder:{}:90", "outcome"]))
    age, is_claim = draw(ages), draw(st.booleans())

    def act(operation: Operation, now: datetime) -> Answer:
        key = kind.format(len(operation.proposals) - age)
        if is_claim:
            return rules.claim_notice(operation, key, now)
        return rules.record_notice(operation, key, ("mailto 1",), {}, now)

    return act


@st.composite
def talks(draw: st.DrawFn) -> Command:
    """A question by anybody about any version, or what is said to have come of one."""
    who, age, number = draw(anybody), draw(ages), draw(st.integers(1, 4))
    act = draw(st.sampled_from(["ask", "ask", "answer", "fail"]))
    text = draw(st.sampled_from(["Why?", "When?"]))

    def talk(operation: Operation, now: datetime) -> Answer:
        if act == "answer":
            return questions.record_answer(operation, f"q{number}", "reply", now)
        if act == "fail":
            return questions.fail_question(operation, f"q{number}", "because", now)
        version = len(operation.proposals) - age
        ask = questions.Ask(reviewer=who, version=version, question=text)
        return questions.ask(operation, ask, now)

    return talk


commands = (
    decisions()
    | decisions()
    | openings()
    | settlings()
    | claims()
    | receipts()
    | notices()
    | talks()
)
endings = withdrawals() | closings()


def _entitled(operation: Operation) -> list[Person]:
    current = operation.current
    assert current is not None
    return [person for person in PEOPLE[1:] if current.required_role in ROLES.get(person.id, ())]


def _rightly(who: Person, decision: Decision) -> Command:
    def decide(operation: Operation, now: datetime) -> Answer:
        version = len(operation.proposals)
        command = rules.Decide(
            reviewer=who,
            version=version,
            digest=_digest(version),
            decision=decision,
            correction="edited" if decision == "revise" else None,
        )
        return rules.decide(operation, command, now)

    return decide


def _digest(version: int) -> str:
    return f"digest-{version}"


@dataclass
class Destination:
    """Where reports go: it knows its writes by operation, and sometimes can't tell."""

    tells: bool = True
    written: tuple[str, int] | None = None

    def write(self, digest: str, sequence: int) -> None:
        # The guard of the real ones (`If-None-Match: *`, `Idempotency-Key`).
        if self.written is None:
            self.written = (digest, sequence)


class Approvals(RuleBasedStateMachine):
    """One operation, everybody who may or may not touch it, and time."""

    open_desk: type[Desk]

    @initialize(policy=policies)
    def start(self, policy: Policy) -> None:
        self.desk = self.open_desk(REQUESTER, policy)
        self.destination = Destination()
        self.publishers: list[Publisher] = []
        self.notifiers: list[Notifier] = []
        self.sent: list[str] = []
        self.desk.offer_what_is_due()

    # What people, processes and time do.

    @precondition(lambda self: self.desk.due == "close")
    @rule(policy=policies)
    def go_on_with_another_operation(self, policy: Policy) -> None:
        self.finish()
        self.start(policy)

    @rule(decision=decisions())
    def decide(self, decision: Command) -> None:
        self.desk.carry_out(decision)

    @rule(command=commands)
    def act(self, command: Command) -> None:
        self.desk.carry_out(command)

    @precondition(lambda self: self.desk.due in {"revise", "escalate"})
    @rule()
    def offer_the_next_version(self) -> None:
        self.desk.offer_what_is_due()

    @precondition(lambda self: self.desk.due == "wait")
    @rule(seat=st.integers(0, 2))
    def correct_a_text_and_approve_it_alone(self, seat: int) -> None:
        for decision in ("revise", "approve"):
            entitled = _entitled(self.desk.state)
            who = entitled[seat % len(entitled)]
            self.desk.carry_out(_rightly(who, decision))
            if self.desk.due == "revise":
                self.desk.offer_what_is_due()

    @rule(ending=endings, then=decisions() | openings() | claims())
    def act_after_an_ending(self, ending: Command, then: Command) -> None:
        self.desk.carry_out(ending)
        self.desk.carry_out(then)

    @rule(decision=decisions(), ending=endings, ending_first=st.booleans())
    def race_with_an_ending(self, decision: Command, ending: Command, ending_first: bool) -> None:
        seen = self.desk.state
        for racer in (ending, decision) if ending_first else (decision, ending):
            self.desk.carry_out(racer, seen)

    @rule(command=commands)
    def act_and_lose_the_reply(self, command: Command) -> None:
        before = len(self.desk.rows)
        first = self.desk.carry_out(command)
        changed = len(self.desk.rows) > before
        again = self.desk.carry_out(command)
        if not changed:
            assert again == first

    @rule(first=decisions(), second=commands)
    def race(self, first: Command, second: Command) -> None:
        seen = self.desk.state
        self.desk.carry_out(first, seen)
        self.desk.carry_out(second, seen)

    @rule(decision=decisions())
    def decide_the_same_twice(self, decision: Command) -> None:
        before = len(self.desk.rows)
        self.desk.carry_out(decision)
        if len(self.desk.rows) > before:
            assert self.desk.carry_out(decision) == ()

    @rule(seconds=st.sampled_from([0.5, 1.0, 5.0]))
    def let_time_pass(self, seconds: float) -> None:
        self.desk.now += timedelta(seconds=seconds)

    @precondition(lambda self: self.desk.due == "wait")
    @rule(early=st.sampled_from([TICK, TICK, TICK, timedelta()]))
    def go_to_the_deadline(self, early: timedelta) -> None:
        current = self.desk.state.current
        assert current is not None
        self.desk.now = max(self.desk.now, current.expires_at - early)

    @precondition(lambda self: self.desk.due == "wait")
    @rule(by_timer=st.sampled_from([False, False, True]))
    def wake_the_gate(self, by_timer: bool) -> None:
        current = self.desk.state.current
        assert current is not None
        if by_timer:
            self.desk.now = max(self.desk.now, next_wake(self.desk.state, current))
        self.desk.carry_out(lambda operation, now: rules.settle(operation, current.version, now))

    @rule(tells=st.booleans())
    def change_what_the_destination_can_tell(self, tells: bool) -> None:
        self.destination.tells = tells

    @precondition(lambda self: self.desk.approved)
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

    @rule(steps=st.integers(1, 4))
    def start_a_notifier(self, steps: int) -> None:
        self.notifiers.append(self.notifier())
        self.run(self.notifiers[-1], steps)

    @precondition(lambda self: self.notifiers)
    @rule(data=st.data(), steps=st.integers(1, 4))
    def let_a_notifier_go_on(self, data: st.DataObject, steps: int) -> None:
        self.run(data.draw(st.sampled_from(self.notifiers)), steps)

    @precondition(lambda self: self.notifiers)
    @rule()
    def kill_a_notifier(self) -> None:
        self.notifiers.pop(0)

    def run(self, process: Publisher | Notifier, steps: int) -> None:
        for _ in range(steps):
            next(process, None)

    def notifier(self) -> Notifier:
        """Tell people as the entity does, but several at once and each able to die at a yield."""
        self.desk.carry_out(rules.doubt_notices)
        yield
        notice = due_notice(self.desk.state, self.desk.now)
        if notice is None:
            return
        yield
        answer = self.desk.carry_out(
            lambda operation, now: rules.claim_notice(operation, notice.key, now)
        )
        if not isinstance(answer, tuple) or not answer:
            return
        yield
        self.sent.append(notice.key)
        yield
        self.desk.carry_out(
            lambda operation, now: rules.record_notice(operation, notice.key, (), {}, now)
        )

    def publisher(self) -> Publisher:
        """Publish as the activity does; each yield is a moment at which the process may die."""
        version = len(self.desk.state.proposals)
        answer = self.desk.carry_out(
            lambda operation, now: rules.claim_write(operation, version, _digest(version), now)
        )
        if not isinstance(answer, tuple):
            return
        yield
        claimed_before = not answer
        if claimed_before and not self.destination.tells:
            self.desk.carry_out(
                lambda operation, now: rules.close(operation, "write_unknown", "", now)
            )
            return
        found = claimed_before and self.destination.written
        yield
        if not found:
            self.destination.write(_digest(version), len(self.desk.rows))
        yield
        self.desk.carry_out(
            lambda operation, now: rules.record_receipt(operation, {"url": "b"}, now)
        )
        yield
        self.desk.carry_out(lambda operation, now: rules.close(operation, None, "", now))

    # The promises.

    @invariant()
    def the_promises_are_kept(self) -> None:
        self.desk.shows_the_promises_kept(ROLES, self.destination.written)
        assert len(set(self.sent)) == len(self.sent)

    def teardown(self) -> None:
        if hasattr(self, "desk"):
            self.finish()

    def finish(self) -> None:
        """From anywhere, going on as the orchestrator would ends the operation (P3, P4)."""
        self.destination.tells = True
        for _ in range(100):
            if self.desk.state.closed:
                break
            self.go_on()
        closed = self.desk.state.closed
        assert closed is not None
        self.the_promises_are_kept()
        if self.desk.approved and closed.outcome not in {"withdrawn", "failed", "write_unknown"}:
            assert closed.outcome == "published"

    def go_on(self) -> None:
        step = self.desk.due
        if step == "publish":
            for _ in self.publisher():
                pass
        elif step == "wait" and len(self.desk.rows) % 2:
            self.everybody_approves()
        elif step == "wait":
            self.wake_the_gate(by_timer=True)
        elif step == "close":
            answer = self.desk.carry_out(
                lambda operation, now: rules.close(operation, None, "", now)
            )
            assert answer
        else:
            self.desk.offer_what_is_due()

    def everybody_approves(self) -> None:
        for person in _entitled(self.desk.state):
            self.desk.carry_out(_rightly(person, "approve"))
        self.wake_the_gate(by_timer=True)


def test_the_promises_hold_whatever_happens(desk: type[Desk]) -> None:
    class Here(Approvals):
        open_desk = desk

    play = settings(max_examples=120, stateful_step_count=40, deadline=None)
    run_state_machine_as_test(Here, settings=play)
