"""One operation told command by command, so that each test reads as what happened to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import ClassVar, TypeAlias

import pytest

from countersign.approvals import erasing, holding, notices, offering, questions, rules, writes
from countersign.approvals.events import Decision, Event, OperationStarted
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.folding import fold
from countersign.approvals.hold import Fault, Hold, Passing
from countersign.approvals.money import Money
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.outcome import Outcome
from countersign.approvals.person import Person
from countersign.approvals.policy import EDITION, Policy
from countersign.approvals.resolving import resolve
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import due_notice
from countersign.approvals.stopping import stop
from countersign.kinds.registry import kind_named
from countersign.purchases.limits import read_limits

START = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)
REVIEWER, ESCALATION = "Report.Reviewer", "Report.Escalation"
APPROVER, PURCHASE_ESCALATION = "Purchase.Approver", "Purchase.Escalation"
WINDOW = 1000.0


def person(name: str, *roles: str, tenant: str = "contoso") -> Person:
    return Person(id=f"id-{name}", name=name, tenant=tenant, roles=frozenset(roles))


class Story:
    """An operation's events, with every command at hand; what a command answers, happens."""

    kind: ClassVar = "research"
    # The requester holds the reviewers' roles too: only being the requester stands in the way.
    requester: ClassVar = person("Rita", REVIEWER, ESCALATION)
    ann: ClassVar = person("Ann", REVIEWER)
    bob: ClassVar = person("Bob", REVIEWER)
    cyd: ClassVar = person("Cyd", REVIEWER)
    eve: ClassVar = person("Eve", ESCALATION)
    operator: ClassVar = person("Olga", "Operator")
    foreign_operator: ClassVar = person("Olga", "Operator", tenant="fabrikam")
    outsider: ClassVar = person("Olaf", "Auditor")
    namesake: ClassVar = person("Ann", REVIEWER, tenant="fabrikam")

    def __init__(self, policy: Policy, *, erasable: bool = False) -> None:
        self.now = START
        self.events: list[Event] = [
            OperationStarted(
                at=START,
                actor=self.requester.actor,
                kind=self.kind,
                title="Tides",
                request="sha256-of-the-request",
                policy=policy,
                erasable=erasable,
            )
        ]

    @property
    def operation(self) -> Operation:
        operation = fold("contoso", "op-1", self.events)
        assert operation is not None
        return operation

    @property
    def current(self) -> Proposal:
        current = self.operation.current
        assert current is not None
        return current

    def happen(self, answer: Ruling) -> Ruling:
        if isinstance(answer, tuple):
            self.events += answer
        return answer

    def wait(self, seconds: float) -> Story:
        self.now += timedelta(seconds=seconds)
        return self

    def plan(self, *subtopics: str) -> Ruling:
        return self.happen(rules.plan_work(self.operation, subtopics, self.now))

    def work(self, step: str, result: str = "result") -> Ruling:
        return self.happen(rules.record_work(self.operation, step, result, self.now))

    def call(self, step: str, tokens: int) -> Ruling:
        return self.happen(rules.record_call(self.operation, step, tokens, self.now))

    def hold(
        self,
        passes: Passing = "later",
        *,
        step: str | None = "plan",
        cause: str = "model_access_refused",
        began: float = 0,
    ) -> Ruling:
        """Have a try fail that began so many seconds ago."""
        fault = Fault(cause=cause, reason="No access.", passes=passes)
        start = self.now - timedelta(seconds=began)
        return self.happen(holding.hold_work(self.operation, step, fault, start, self.now))

    def retry(self, who: Person | None = None) -> Ruling:
        who = who or self.operator
        return self.happen(holding.request_retry(self.operation, who, self.now))

    def resume(self, step: str = "plan") -> Ruling:
        return self.happen(holding.resume_work(self.operation, step, self.now))

    def leave_unrevised(self, reason: str = "No form.", version: int | None = None) -> Ruling:
        version = version if version is not None else len(self.operation.proposals)
        answer = holding.fail_revision(self.operation, version, reason, self.now)
        return self.happen(answer)

    @property
    def held(self) -> Hold:
        hold = self.operation.hold
        assert hold is not None
        return hold

    def open(
        self,
        version: int | None = None,
        content: str = "draft",
        amount: Money | None = None,
        *,
        widens: bool = True,
        evidence_count: EvidenceCount | None = None,
    ) -> Ruling:
        version = version if version is not None else len(self.operation.proposals) + 1
        command = offering.Open(
            version=version,
            digest=f"digest-{version}",
            content=content,
            evidence="evidence",
            amount=amount,
            widens=widens,
            evidence_count=evidence_count,
        )
        return self.happen(offering.open_proposal(self.operation, command, self.now))

    def decide(
        self,
        who: Person,
        decision: Decision = "approve",
        *,
        version: int | None = None,
        digest: str | None = None,
        comment: str | None = None,
        correction: str | None = None,
        comments: str | None = None,
    ) -> Ruling:
        """Decide about the newest version as it is; who rejects gives a reason."""
        version = version if version is not None else len(self.operation.proposals)
        comment = ("no" if decision == "reject" else "") if comment is None else comment
        command = rules.Decide(
            reviewer=who,
            version=version,
            digest=digest or f"digest-{version}",
            decision=decision,
            comment=comment,
            correction=correction,
            comments=comments,
        )
        return self.happen(rules.decide(self.operation, command, self.now))

    def take_back(self, who: Person, version: int | None = None) -> Ruling:
        version = version if version is not None else len(self.operation.proposals)
        return self.happen(rules.take_back(self.operation, who, version, self.now))

    def revise(
        self,
        who: Person,
        comment: str = "shorter",
        correction: str | None = None,
        comments: str | None = None,
    ) -> Ruling:
        return self.decide(who, "revise", comment=comment, correction=correction, comments=comments)

    def resolve(self, who: Person, comment: int = 1, *, version: int = 1) -> Ruling:
        return self.happen(resolve(self.operation, who, version, comment, self.now))

    def settle(self, version: int | None = None) -> Ruling:
        version = version if version is not None else len(self.operation.proposals)
        return self.happen(rules.settle(self.operation, version, self.now))

    def expire(self) -> Ruling:
        return self.wait(WINDOW).settle()

    def withdraw(self, who: Person | None = None, reason: str = "") -> Ruling:
        who = who or self.requester
        return self.happen(rules.withdraw(self.operation, who, reason, self.now))

    def stop(self, reason: str = "because", who: Person | None = None) -> Ruling:
        return self.happen(stop(self.operation, who or self.operator, reason, self.now))

    def erase(self, rule: str = "a rule") -> Ruling:
        return self.happen(erasing.erase_content(self.operation, rule, self.now))

    def erase_person(self, commitments: Sequence[str], who: Person | None = None) -> Ruling:
        who = who or self.operator
        return self.happen(
            erasing.erase_person(self.operation, who, commitments, "they asked", self.now)
        )

    def place_hold(self, who: Person | None = None) -> Ruling:
        who = who or self.operator
        return self.happen(erasing.place_hold(self.operation, who, "a lawsuit", self.now))

    def lift_hold(self, who: Person | None = None) -> Ruling:
        who = who or self.operator
        return self.happen(erasing.lift_hold(self.operation, who, "it is over", self.now))

    def reserve(
        self,
        version: int | None = None,
        digest: str | None = None,
        attempt: str = "a",
        *,
        again: bool = False,
    ) -> Ruling:
        version = version if version is not None else len(self.operation.proposals)
        digest = digest or f"digest-{version}"
        return self.happen(
            writes.reserve_write(self.operation, version, digest, self.now, attempt, again=again)
        )

    def receive(self, url: str = "blob://report") -> Ruling:
        written = kind_named(self.operation.kind).outcome
        return self.happen(
            writes.record_receipt(self.operation, {"url": url}, self.now, written=written)
        )

    def refuse(self, reason: str = "out of business", attempt: str = "a") -> Ruling:
        return self.happen(writes.refuse_write(self.operation, reason, self.now, attempt))

    def find(self, found: str) -> Ruling:
        return self.happen(writes.find_write(self.operation, found, self.now))

    def close(self, outcome: Outcome | None = None) -> Ruling:
        written = kind_named(self.operation.kind).outcome
        return self.happen(
            rules.close(self.operation, outcome, "because", self.now, written=written)
        )

    def ask(self, who: Person, question: str = "Why?", version: int | None = None) -> Ruling:
        version = version if version is not None else len(self.operation.proposals)
        command = questions.Ask(reviewer=who, version=version, question=question)
        return self.happen(questions.ask(self.operation, command, self.now))

    def answer(self, question_id: str, result: str = "reply") -> Ruling:
        answer = questions.record_answer(self.operation, question_id, result, self.now)
        return self.happen(answer)

    def fail(self, question_id: str, reason: str = "because") -> Ruling:
        return self.happen(questions.fail_question(self.operation, question_id, reason, self.now))

    @property
    def due(self) -> str | None:
        notice = due_notice(self.operation, self.now)
        return notice and notice.key

    def reserve_notice(self, notice: str) -> Ruling:
        return self.happen(notices.reserve_notice(self.operation, notice, self.now))

    def record_notice(self, notice: str, *taken: str, **failed: str) -> Ruling:
        return self.happen(notices.record_notice(self.operation, notice, taken, failed, self.now))

    def doubt_notices(self) -> Ruling:
        return self.happen(notices.doubt_notices(self.operation, self.now))


class Purchase(Story):
    """The same of an order, whose limits are the usual ones."""

    kind: ClassVar = "purchase"
    requester: ClassVar = person("Rita", APPROVER, PURCHASE_ESCALATION)
    ann: ClassVar = person("Ann", APPROVER)
    bob: ClassVar = person("Bob", APPROVER)
    cyd: ClassVar = person("Cyd", APPROVER)
    eve: ClassVar = person("Eve", PURCHASE_ESCALATION)
    fay: ClassVar = person("Fay", PURCHASE_ESCALATION)
    gus: ClassVar = person("Gus", PURCHASE_ESCALATION)
    both: ClassVar = person("Dan", APPROVER, PURCHASE_ESCALATION)

    def offer(self, amount: str, content: str = "draft", *, widens: bool = False) -> Ruling:
        """Open the next version, which costs so many euros."""
        euros = Money(amount=Decimal(amount), currency="EUR")
        return self.open(content=content, amount=euros, widens=widens)

    def correct(self, who: Person, amount: str, *, widens: bool) -> None:
        """Have somebody make the next version, which costs so many euros."""
        content = f"order-{len(self.operation.proposals) + 1}"
        assert self.revise(who, "", content)
        assert self.offer(amount, content, widens=widens)

    def seats(self) -> tuple[int, str | None]:
        """What the newest version takes: how many approvers, and a countersigner in which role."""
        return self.current.quorum, self.current.countersigner_role


Begin: TypeAlias = Callable[..., Story]
Buy: TypeAlias = Callable[..., Purchase]


@pytest.fixture
def begin() -> Begin:
    """Start an operation with the terms a test is about."""

    def started(
        *,
        quorum: int = 1,
        escalation_role: str | None = ESCALATION,
        window_seconds: float = WINDOW,
        reminders: tuple[int, ...] = (50, 90),
        edition: int = EDITION,
        erasable: bool = False,
        passkey_roles: tuple[str, ...] = (),
    ) -> Story:
        policy = Policy(
            reviewer_role=REVIEWER,
            escalation_role=escalation_role,
            quorum=quorum,
            window_seconds=window_seconds,
            reminders=reminders,
            edition=edition,
            passkey_roles=passkey_roles,
        )
        return Story(policy, erasable=erasable)

    return started


@pytest.fixture
def story(begin: Begin) -> Story:
    """An operation whose first version waits for one approval."""
    opened = begin()
    opened.open()
    return opened


@pytest.fixture
def buy() -> Buy:
    """Offer an order at an amount in euros, under the terms that a test is about."""

    def offered(
        amount: str,
        *,
        quorum: int = 1,
        limits: str = "EUR 1000 50000",
        by_largest: bool = True,
        edition: int = EDITION,
        passkey_above: str | None = None,
    ) -> Purchase:
        policy = Policy(
            reviewer_role=APPROVER,
            escalation_role=PURCHASE_ESCALATION,
            quorum=quorum,
            window_seconds=WINDOW,
            tiers=read_limits({"COUNTERSIGN_PURCHASE_LIMITS": limits})["EUR"].tiers,
            has_team=False,
            by_largest=by_largest,
            edition=edition,
            passkey_above=Decimal(passkey_above) if passkey_above else None,
        )
        purchase = Purchase(policy)
        purchase.offer(amount)
        return purchase

    return offered
