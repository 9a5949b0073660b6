"""What people and processes try, rightly or not; strategies of commands for a desk."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import get_args

from hypothesis import strategies as st

from countersign.approvals import commenting, holding, offering, questions, rules, writes
from countersign.approvals.events import Decision
from countersign.approvals.hold import Fault, Passing
from countersign.approvals.notices import record_notice, reserve_notice
from countersign.approvals.operation import Operation
from countersign.approvals.outcome import Ending, Outcome
from countersign.approvals.person import Person
from countersign.approvals.rules import Ruling
from countersign.approvals.stopping import stop
from countersign.kinds.registry import kind_named, known_kinds
from testbed.machine.desk import Command, digest, offer
from testbed.machine.people import PEOPLE, REQUESTER, drafts, entitled, wishes

DECISIONS: list[Decision] = ["approve", "approve", "approve", "revise", "revise", "reject"]

anybody = st.sampled_from(PEOPLE)
seats = st.integers(0, 4)
ages = st.sampled_from([0] * 8 + [1, 2, 20])
flaws = st.sampled_from(
    [None] * 8 + ["person", "person", "version", "digest", "comment", "correction"]
)


@st.composite
def decisions(draw: st.DrawFn) -> Command:
    """A decision by an entitled person about the newest version, with at most one flaw."""
    flaw, seat = draw(flaws), draw(seats)
    stranger = draw(st.just(REQUESTER) | anybody)
    age = draw(st.sampled_from([1, 2, 20])) if flaw == "version" else 0
    decision, wish = draw(st.sampled_from(DECISIONS)), draw(wishes)
    corrects = flaw == "correction" or (decision == "revise" and draw(st.booleans()))
    comment = "" if flaw == "comment" else draw(st.sampled_from(["shorter", "longer"]))

    def decide(operation: Operation, now: datetime) -> Ruling:
        version = len(operation.proposals) - age
        asked = entitled(operation)
        command = rules.Decide(
            reviewer=stranger if flaw == "person" else asked[seat % len(asked)],
            version=version,
            digest=digest(version - 1 if flaw == "digest" else version),
            decision=decision,
            comment=comment,
            correction=wish[operation.kind] if corrects else None,
        )
        return rules.decide(operation, command, now)

    return decide


@st.composite
def second_thoughts(draw: st.DrawFn) -> Command:
    """An approval taken back, by somebody who has approved or by anybody."""
    who, seat, age = draw(anybody), draw(st.none() | seats), draw(ages)

    def take_back(operation: Operation, now: datetime) -> Ruling:
        version = len(operation.proposals) - age
        proposal = operation.proposal(version)
        approvers = sorted(proposal.approvers) if proposal else []
        chosen = who
        if approvers and seat is not None:
            chosen = next(each for each in PEOPLE if each.id == approvers[seat % len(approvers)])
        return rules.take_back(operation, chosen, version, now)

    return take_back


@st.composite
def withdrawals(draw: st.DrawFn) -> Command:
    """A withdrawal by anybody."""
    who = draw(st.just(REQUESTER) | anybody)
    return lambda operation, now: rules.withdraw(operation, who, "", now)


@st.composite
def stops(draw: st.DrawFn) -> Command:
    """A stop by anybody."""
    who = draw(st.just(REQUESTER) | anybody)
    return lambda operation, now: stop(operation, who, "because", now)


@st.composite
def settlings(draw: st.DrawFn) -> Command:
    """A look at any version: the doorbell may ring at any time, forged or not."""
    age = draw(ages)
    return lambda operation, now: rules.settle(operation, len(operation.proposals) - age, now)


@st.composite
def openings(draw: st.DrawFn) -> Command:
    """A version that the work offers: the next one, an old one again, or one out of order."""
    ahead = draw(st.sampled_from([1, 1, 1, 0, 2]))
    first, wish = {kind: draw(draft) for kind, draft in drafts.items()}, draw(wishes)
    content = draw(st.sampled_from([first, wish]))

    def offered(operation: Operation, now: datetime) -> Ruling:
        version = len(operation.proposals) + ahead
        return offering.open_proposal(
            operation, offer(operation, version, content[operation.kind]), now
        )

    return offered


@st.composite
def closings(draw: st.DrawFn) -> Command:
    """A closing with any outcome, true or not."""
    written = [kind.outcome for kind in known_kinds()]
    outcome: Outcome | None = draw(st.sampled_from([None, "failed", *written, *get_args(Ending)]))
    return lambda operation, now: close(operation, outcome, now)


def close(operation: Operation, outcome: Outcome | None, now: datetime) -> Ruling:
    """Close as operations of its kind are closed."""
    written = kind_named(operation.kind).outcome
    return rules.close(operation, outcome, "", now, written=written)


@st.composite
def reservations(draw: st.DrawFn) -> Command:
    """A reservation out of the blue, as no honest publisher would make one."""
    age, digest_age = draw(ages), draw(ages)

    def reserve(operation: Operation, now: datetime) -> Ruling:
        newest = len(operation.proposals)
        return writes.reserve_write(operation, newest - age, digest(newest - digest_age), now)

    return reserve


@st.composite
def receipts(draw: st.DrawFn) -> Command:
    """A receipt, whether or not anything was reserved."""
    url = draw(st.sampled_from(["here", "elsewhere"]))
    return lambda operation, now: received(operation, url, now)


def received(operation: Operation, url: str, now: datetime) -> Ruling:
    """Record a receipt as one is recorded of operations of its kind."""
    written = kind_named(operation.kind).outcome
    return writes.record_receipt(operation, {"url": url}, now, written=written)


@st.composite
def notices(draw: st.DrawFn) -> Command:
    """A notice that somebody reserves or says to have sent, due or not."""
    kind = draw(
        st.sampled_from(["opened:{}", "reminder:{}:50", "reminder:{}:90", "outcome", "held:{}"])
    )
    also = draw(st.sampled_from(["", "", ":countersign"]))
    age, reserves = draw(ages), draw(st.booleans())

    def act(operation: Operation, now: datetime) -> Ruling:
        key = kind.format(len(operation.proposals) - age) + also
        if reserves:
            return reserve_notice(operation, key, now)
        return record_notice(operation, key, ("mailto 1",), {}, now)

    return act


@st.composite
def talks(draw: st.DrawFn) -> Command:
    """What anybody says about any version, or what is said to have come of a question."""
    who, age, number = draw(anybody), draw(ages), draw(st.integers(1, 4))
    act = draw(st.sampled_from(["ask", "comment", "answer", "fail"]))
    text = draw(st.sampled_from(["Why?", "When?"]))

    def talk(operation: Operation, now: datetime) -> Ruling:
        if act == "answer":
            return questions.record_answer(operation, f"q{number}", "reply", now)
        if act == "fail":
            return questions.fail_question(operation, f"q{number}", "because", now)
        version = len(operation.proposals) - age
        if act == "comment":
            return _commented(operation, who, version, text, now)
        ask = questions.Ask(reviewer=who, version=version, question=text)
        return questions.ask(operation, ask, now)

    return talk


def _commented(operation: Operation, who: Person, version: int, text: str, now: datetime) -> Ruling:
    proposal = operation.proposal(version)
    said = commenting.AddComments(
        reviewer=who,
        version=version,
        digest=proposal.digest if proposal else "none",
        comments=text,
        count=1,
    )
    return commenting.add_comments(operation, said, now)


@st.composite
def troubles(draw: st.DrawFn) -> Command:
    """A step that fails or is done after all, a wish that it be tried again, a failed revision."""
    who, age, step = draw(anybody), draw(ages), draw(st.sampled_from(["plan", "draft:2", None]))
    act = draw(st.sampled_from(["fail", "fail", "ask", "resume", "leave"]))
    passes: Passing = draw(st.sampled_from(["soon", "later", "never"]))
    took = timedelta(seconds=draw(st.sampled_from([0, 1, 100])))

    def trouble(operation: Operation, now: datetime) -> Ruling:
        if act == "fail":
            fault = Fault(cause="cause", reason="because", passes=passes)
            return holding.hold_work(operation, step, fault, now - took, now)
        if act == "ask":
            return holding.request_retry(operation, who, now)
        if act == "resume":
            return holding.resume_work(operation, step or "plan", now)
        return holding.fail_revision(operation, len(operation.proposals) - age, "because", now)

    return trouble


commands = (
    decisions()
    | decisions()
    | second_thoughts()
    | openings()
    | settlings()
    | reservations()
    | receipts()
    | notices()
    | talks()
    | troubles()
)
endings = withdrawals() | stops() | closings()


def rightly(
    who: Person, decision: Decision, wish: dict[str, str] | None = None, *, says: str = ""
) -> Command:
    """A decision about the newest version as it is; `wish` is what a revision makes of it."""

    def decide(operation: Operation, now: datetime) -> Ruling:
        version = len(operation.proposals)
        command = rules.Decide(
            reviewer=who,
            version=version,
            digest=digest(version),
            decision=decision,
            comment=says,
            correction=wish[operation.kind] if wish else None,
        )
        return rules.decide(operation, command, now)

    return decide
