"""Everybody at once: people, clocks, crashes, repeats and races, against the promises."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import TypeAlias

import pytest
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

from countersign.approvals import notices, rules, writes
from countersign.approvals.holding import fail_revision
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import due_notice, next_wake
from countersign.kinds.registry import kind_named
from testbed.machine.commands import (
    close,
    commands,
    decisions,
    endings,
    openings,
    received,
    reservations,
    rightly,
    seats,
)
from testbed.machine.desk import Command, Desk, digest
from testbed.machine.people import ROLES, drafts, entitled, policies, wishes

TICK = timedelta(microseconds=1)

# What can happen after the end is soon told.
going = precondition(lambda self: self.desk.due != "close")

Publisher: TypeAlias = Generator[None, None, None]
Notifier: TypeAlias = Generator[None, None, None]


@dataclass
class Destination:
    """Where contents go: it knows its writes by operation, and sometimes can't tell.

    Attributes:
        tells: whether it can be asked.
        takes: whether it takes anything; once it does not, it never will.
        written: the digest that it took, and how long the ledger was then.
    """

    tells: bool = True
    takes: bool = True
    written: tuple[str, int] | None = None

    def write(self, digest: str, sequence: int) -> bool:
        # The guard of the real ones (`If-None-Match: *`, `Idempotency-Key`).
        if self.written is None and self.takes:
            self.written = (digest, sequence)
        return self.written is not None


class Approvals(RuleBasedStateMachine):
    """One operation, everybody who may or may not touch it, and time."""

    kind: str

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        policy, draft = data.draw(policies[self.kind]), data.draw(drafts[self.kind])
        self.desk = Desk(self.kind, policy, draft)
        self.destination = Destination()
        self.publishers: list[Publisher] = []
        self.tries = count()
        self.notifiers: list[Notifier] = []
        self.sent: list[str] = []
        self.desk.offer_what_is_due()

    # What people, processes and time do.

    @precondition(lambda self: self.desk.due == "close")
    @rule(data=st.data())
    def go_on_with_another_operation(self, data: st.DataObject) -> None:
        self.finish()
        self.start(data)

    @going
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

    @precondition(lambda self: self.desk.due == "revise")
    @rule(offers=st.booleans())
    def fail_to_revise(self, offers: bool) -> None:
        version = len(self.desk.state.proposals)
        self.desk.carry_out(
            lambda operation, now: fail_revision(operation, version, "because", now)
        )
        if offers:
            self.desk.offer_what_is_due()

    @precondition(lambda self: self.desk.due == "wait")
    @rule(seat=seats, wanted=st.lists(wishes, min_size=1, max_size=2))
    def correct_a_content_and_approve_it_alone(
        self, seat: int, wanted: list[dict[str, str]]
    ) -> None:
        asked = entitled(self.desk.state)
        who = asked[seat % len(asked)]
        for wish in wanted:
            self.desk.carry_out(rightly(who, "revise", wish))
            if self.desk.due == "revise":
                self.desk.offer_what_is_due()
        self.desk.carry_out(rightly(who, "approve"))

    @precondition(lambda self: self.desk.due == "wait" and self.desk.state.policy.has_team)
    @rule(seat=seats)
    def dictate_a_content_and_approve_it_alone(self, seat: int) -> None:
        asked = entitled(self.desk.state)
        who = asked[seat % len(asked)]
        self.desk.carry_out(rightly(who, "revise", says="Write what I say."))
        if self.desk.due == "revise":
            self.desk.offer_what_is_due()
        self.desk.carry_out(rightly(who, "approve"))

    @precondition(lambda self: self.desk.due == "wait")
    @rule(seat=seats, then=decisions())
    def approve_and_think_better_of_it(self, seat: int, then: Command) -> None:
        asked = entitled(self.desk.state)
        who, version = asked[seat % len(asked)], len(self.desk.state.proposals)
        self.desk.carry_out(rightly(who, "approve"))
        self.desk.carry_out(lambda operation, now: rules.take_back(operation, who, version, now))
        self.desk.carry_out(then)

    @precondition(lambda self: self.desk.due == "wait")
    @rule(order=st.lists(seats, min_size=1, max_size=2, unique=True))
    def approve_too_little_and_escalate(self, order: list[int]) -> None:
        for seat in order:
            asked = entitled(self.desk.state)
            self.desk.carry_out(rightly(asked[seat % len(asked)], "approve"))
        if self.desk.due == "wait":
            self.go_to_the_deadline(timedelta())
            self.wake_the_gate(by_timer=False)
        if self.desk.due == "escalate":
            self.desk.offer_what_is_due()

    @precondition(lambda self: self.desk.due == "wait")
    @rule(order=st.lists(seats, min_size=1, max_size=3, unique=True))
    def approve_one_after_the_other(self, order: list[int]) -> None:
        for seat in order:
            asked = entitled(self.desk.state)
            self.desk.carry_out(rightly(asked[seat % len(asked)], "approve"))
            self.run(self.notifier(), steps=5)

    @going
    @rule(ending=endings, then=decisions() | openings() | reservations())
    def act_after_an_ending(self, ending: Command, then: Command) -> None:
        self.desk.carry_out(ending)
        self.desk.carry_out(then)

    @going
    @rule(decision=decisions(), ending=endings, ending_first=st.booleans())
    def race_with_an_ending(self, decision: Command, ending: Command, ending_first: bool) -> None:
        seen = self.desk.state
        for racer in (ending, decision) if ending_first else (decision, ending):
            self.desk.carry_out(racer, seen)

    @going
    @rule(command=commands)
    def act_and_lose_the_reply(self, command: Command) -> None:
        before = len(self.desk.rows)
        first = self.desk.carry_out(command)
        changed = len(self.desk.rows) > before
        again = self.desk.carry_out(command)
        if not changed:
            assert again == first

    @going
    @rule(first=decisions(), second=commands)
    def race(self, first: Command, second: Command) -> None:
        seen = self.desk.state
        self.desk.carry_out(first, seen)
        self.desk.carry_out(second, seen)

    @going
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

    @precondition(lambda self: not self.destination.written)
    @rule(really=st.sampled_from([True, False, False]))
    def turn_the_operation_away(self, really: bool) -> None:
        self.destination.takes = self.destination.takes and not really

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
        self.desk.carry_out(notices.doubt_notices)
        yield
        notice = due_notice(self.desk.state, self.desk.now)
        if notice is None:
            return
        yield
        answer = self.desk.carry_out(
            lambda operation, now: notices.reserve_notice(operation, notice.key, now)
        )
        if not isinstance(answer, tuple) or not answer:
            return
        yield
        self.sent.append(notice.key)
        yield
        self.desk.carry_out(
            lambda operation, now: notices.record_notice(operation, notice.key, (), {}, now)
        )

    def publisher(self) -> Publisher:
        """Publish as the activity does; each yield is a moment at which the process may die."""
        version, attempt = len(self.desk.state.proposals), f"try-{next(self.tries)}"
        reserved = self.claim(version, attempt)
        if not isinstance(reserved, tuple):
            return
        yield
        if not reserved and not self.destination.tells:
            self.desk.carry_out(lambda operation, now: close(operation, "write_unknown", now))
            return
        found = not reserved and self.destination.written
        yield
        if not found:
            if not reserved and not isinstance(self.claim(version, attempt, again=True), tuple):
                return
            yield
            if not self.destination.write(digest(version), len(self.desk.rows)):
                yield from self.refused(attempt)
                return
        yield
        self.desk.carry_out(lambda operation, now: received(operation, "b", now))
        yield
        self.desk.carry_out(lambda operation, now: close(operation, None, now))

    def claim(self, version: int, attempt: str, *, again: bool = False) -> Ruling:
        return self.desk.carry_out(
            lambda operation, now: writes.reserve_write(
                operation, version, digest(version), now, attempt, again=again
            )
        )

    def refused(self, attempt: str) -> Publisher:
        """Nothing was taken of this try; of another one nobody can tell for good."""
        others = [each for each in self.desk.state.claims if each.attempt != attempt]
        yield
        if others:
            self.desk.carry_out(lambda operation, now: close(operation, "write_unknown", now))
            return
        self.desk.carry_out(
            lambda operation, now: writes.refuse_write(operation, "no", now, attempt)
        )
        yield
        if not self.desk.state.reservation:
            self.desk.carry_out(lambda operation, now: close(operation, "failed", now))

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
        assert self.desk.intact
        if self.desk.approved and closed.outcome not in {"withdrawn", "failed", "write_unknown"}:
            assert closed.outcome == kind_named(self.kind).outcome

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
            answer = self.desk.carry_out(lambda operation, now: close(operation, None, now))
            assert answer
        else:
            self.desk.offer_what_is_due()

    def everybody_approves(self) -> None:
        for person in entitled(self.desk.state):
            self.desk.carry_out(rightly(person, "approve"))
        self.wake_the_gate(by_timer=True)


@pytest.mark.parametrize(("of", "examples"), [("research", 80), ("purchase", 100)])
def test_the_promises_hold_whatever_happens(of: str, examples: int) -> None:
    class Here(Approvals):
        kind = of

    play = settings(max_examples=examples, stateful_step_count=40, deadline=None)
    run_state_machine_as_test(Here, settings=play)
