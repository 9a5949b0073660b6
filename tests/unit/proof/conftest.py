"""Operations of every outcome, recorded by the real rules in the real stores, and their bundles."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest

from countersign.approvals import notices, offering, questions, rules, writes
from countersign.approvals.acts import Seal, Trust, act_data
from countersign.approvals.digest import sha256
from countersign.approvals.events import Decision, OperationStarted, Outcome
from countersign.approvals.ledger import GENESIS, row_hash
from countersign.approvals.operation import Operation, Proposal, shelf_of
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy, Tier
from countersign.bodies.content import Content, offer
from countersign.kinds.registry import kind_named
from countersign.operations.repository import Changed, Operations, Rule
from countersign.proof.bundle import signed
from countersign.proof.export import export
from countersign.proof.keys import ProofKey, SigningKey
from countersign.proof.seal import KeySeal, signature_over
from countersign.purchases.order import OrderContent, line_of, sum_of
from countersign.reports.report import ReportContent
from countersign.roles import (
    PURCHASE_APPROVER,
    PURCHASE_ESCALATION,
    REPORT_ESCALATION,
    REPORT_REVIEWER,
)
from countersign.stores.folder import FolderArtifacts
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex

TENANT = "contoso"
START = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)
WINDOW = 1000.0
KEY = ProofKey(seed=bytes(range(32)))

REPORTS = Policy(
    reviewer_role=REPORT_REVIEWER, escalation_role=REPORT_ESCALATION, window_seconds=WINDOW
)
ORDERS = Policy(
    reviewer_role=PURCHASE_APPROVER,
    escalation_role=PURCHASE_ESCALATION,
    window_seconds=WINDOW,
    tiers=(
        Tier(above=Decimal(1000), quorum=2),
        Tier(above=Decimal(50000), quorum=2, countersigner_role=PURCHASE_ESCALATION),
    ),
    has_team=False,
)


def person(name: str, *roles: str) -> Person:
    return Person(id=f"id-{name}", name=name, tenant=TENANT, roles=frozenset(roles))


RITA = person("Rita")
ANN, BOB = (
    person("Ann", REPORT_REVIEWER, PURCHASE_APPROVER),
    person("Bob", REPORT_REVIEWER, PURCHASE_APPROVER),
)
EVE = person("Eve", REPORT_ESCALATION, PURCHASE_ESCALATION)


def report(text: str = "# Tides\n\nThey come and go.\n") -> ReportContent:
    return ReportContent(title="Tides", text=text)


def order(quantity: int = 1, price: str = "600.00", vendor: str = "Chairs Ltd") -> OrderContent:
    lines = [
        line_of(
            sku="CH-1",
            description="Chair",
            quantity=quantity,
            unit_price=Decimal(price),
            currency="EUR",
        )
    ]
    return OrderContent(
        vendor=vendor,
        destination=None,
        lines=lines,
        currency="EUR",
        total=sum_of(lines),
        reason="The old ones broke.",
    )


class Case:
    """One operation, told command by command; what is recorded, is in the stores."""

    def __init__(
        self, folder: Path, kind: str, *, erasable: bool = False, seal: Seal | None = None
    ) -> None:
        self.kind, self.id, self.now = kind, f"{kind}-{'0' * 24}", START
        self.erasable = erasable
        self.shelf = shelf_of(TENANT, self.id) if erasable else TENANT
        file = folder / "countersign.db"
        self.artifacts = FolderArtifacts(folder / "artifacts")
        trust = Trust(seal=seal or KeySeal(KEY))
        self.operations = Operations(SqliteLedger(file), SqliteIndex(file), lambda: self.now, trust)

    async def start(self) -> Case:
        request = await self.artifacts.put(self.shelf, b"{}")
        event = OperationStarted(
            at=self.now,
            actor=RITA.actor,
            kind=self.kind,
            title="Tides, or chairs",
            request=request,
            policy=ORDERS if self.kind == "purchase" else REPORTS,
            erasable=self.erasable,
        )
        await self.operations.start(TENANT, self.id, event)
        return self

    async def operation(self) -> Operation:
        operation = await self.operations.load(TENANT, self.id)
        assert operation is not None
        return operation

    async def current(self) -> Proposal:
        current = (await self.operation()).current
        assert current is not None
        return current

    async def happen(self, rule: Rule, *, after: float = 1.0) -> Case:
        self.now += timedelta(seconds=after)
        changed = await self.operations.change(TENANT, self.id, rule)
        assert isinstance(changed, Changed), changed
        assert changed.events
        return self

    async def open(self, content: Content, evidence: bytes | None = None) -> Case:
        operation = await self.operation()
        version, before = len(operation.proposals) + 1, operation.current
        corrected = None
        if before and before.correction:
            stored = await self.artifacts.get(self.shelf, before.content)
            corrected = type(content).read(stored)
        command = offer(
            operation,
            version,
            offered=content,
            content=await self.artifacts.put(self.shelf, content.stored()),
            evidence=await self.artifacts.put(self.shelf, evidence) if evidence else None,
            corrected=corrected,
        )
        return await self.happen(lambda state, now: offering.open_proposal(state, command, now))

    async def decide(
        self,
        who: Person,
        decision: Decision = "approve",
        comment: str = "",
        correction: Content | None = None,
    ) -> Case:
        proposal = await self.current()
        stored = await self.artifacts.put(self.shelf, correction.stored()) if correction else None
        command = rules.Decide(
            reviewer=who,
            version=proposal.version,
            digest=proposal.digest,
            decision=decision,
            comment=comment,
            correction=stored,
        )
        return await self.happen(lambda state, now: rules.decide(state, command, now))

    async def correct(self, who: Person, content: Content) -> Case:
        """A version goes back with a correction, and that is the next one."""
        await self.decide(who, "revise", correction=content)
        return await self.open(content)

    async def expire(self) -> Case:
        version = (await self.current()).version
        return await self.happen(lambda state, now: rules.settle(state, version, now), after=WINDOW)

    async def remind(self) -> Case:
        version = (await self.current()).version
        return await self.happen(
            lambda state, now: rules.settle(state, version, now), after=WINDOW * 0.95
        )

    async def withdraw(self) -> Case:
        return await self.happen(lambda state, now: rules.withdraw(state, RITA, "No need.", now))

    async def ask(self, who: Person) -> Case:
        command = questions.Ask(reviewer=who, version=1, question="Why?")
        await self.happen(lambda state, now: questions.ask(state, command, now))
        return await self.happen(
            lambda state, now: questions.record_answer(state, "q1", "0" * 64, now)
        )

    async def notice(self, key: str) -> Case:
        await self.happen(lambda state, now: notices.reserve_notice(state, key, now))
        return await self.happen(
            lambda state, now: notices.record_notice(state, key, ("mail 1",), {}, now)
        )

    async def claim(self, attempt: str | None = None) -> Case:
        proposal = await self.current()
        return await self.happen(
            lambda state, now: writes.reserve_write(
                state, proposal.version, proposal.digest, now, attempt, again=True
            )
        )

    async def write(self, content: Content) -> Case:
        written, amount = content.written(), content.amount
        receipt: dict[str, str | int] = {
            "destination": "somewhere",
            "location": "there",
            "sha256": sha256(written),
            "size": len(written),
            "written_at": "2026-03-01T10:00:00.000Z",
        }
        if amount:
            receipt |= {"total": str(amount.amount), "currency": amount.currency}
        await self.claim()
        return await self.happen(
            lambda state, now: writes.record_receipt(
                state, receipt, now, written=kind_named(state.kind).outcome
            )
        )

    async def close(self, outcome: Outcome | None = None) -> Case:
        return await self.happen(
            lambda state, now: rules.close(
                state, outcome, "So it is.", now, written=kind_named(state.kind).outcome
            )
        )

    async def bundle(self, key: SigningKey = KEY) -> bytes:
        rows = await self.operations.ledger.read(TENANT, self.id)
        return await export(TENANT, self.id, rows, self.artifacts, key=key, now=self.now)


Begin: TypeAlias = Callable[..., Awaitable[Case]]
Tamper: TypeAlias = Callable[[dict[str, Any]], None]


async def begin(folder: Path, kind: str, *, erasable: bool = False) -> Case:
    return await Case(folder, kind, erasable=erasable).start()


async def published(begin: Begin) -> Case:
    """A report with a question, a reminder, a correction and everything else that can happen."""
    own = report("# My own words\n")
    case = await begin("research")
    await case.happen(lambda state, now: rules.plan_work(state, ("Tides",), now))
    await case.happen(lambda state, now: rules.record_call(state, "draft", 7, now))
    await case.happen(lambda state, now: rules.record_work(state, "draft", "0" * 64, now))
    await case.open(report())
    await case.notice("opened:1")
    await case.ask(ANN)
    await case.remind()
    await case.correct(ANN, own)
    await case.decide(ANN)
    await case.decide(BOB, comment="Good.")
    await case.write(own)
    await case.close()
    await case.happen(lambda state, now: notices.reserve_notice(state, "outcome", now))
    return await case.happen(notices.doubt_notices)


async def ordered(begin: Begin) -> Case:
    """A large order: corrected upwards, approved by two, countersigned by a third."""
    case = await begin("purchase")
    await case.open(order(quantity=2))
    await case.correct(ANN, order(quantity=200))
    await case.decide(ANN)
    await case.decide(BOB)
    await case.decide(EVE)
    await case.write(order(quantity=200))
    return await case.close()


async def rejected(begin: Begin) -> Case:
    case = await (await begin("research")).open(report())
    await case.decide(ANN, "reject", comment="Off the point.")
    return await case.close()


async def expired(begin: Begin) -> Case:
    case = await (await begin("purchase")).open(order())
    await case.expire()
    await case.open(order())
    await case.expire()
    return await case.close()


async def withdrawn(begin: Begin) -> Case:
    """Taken back after a correction that was never offered."""
    case = await (await begin("research")).open(report())
    await case.decide(ANN, "revise", correction=report("Other words."))
    await case.withdraw()
    return await case.close()


async def unknown(begin: Begin) -> Case:
    case = await (await begin("purchase")).open(order())
    await case.decide(ANN)
    await case.claim()
    return await case.close("write_unknown")


async def refused(begin: Begin) -> Case:
    case = await (await begin("purchase")).open(order())
    await case.decide(ANN)
    await case.claim()
    await case.happen(lambda state, now: writes.refuse_write(state, "Sold out.", now))
    return await case.close("failed")


async def running(begin: Begin) -> Case:
    return await begin("research")


async def waiting(begin: Begin) -> Case:
    case = await (await begin("purchase")).open(order(quantity=2))
    return await case.decide(ANN)


STORIES = {
    "published": published,
    "ordered": ordered,
    "rejected": rejected,
    "expired": expired,
    "withdrawn": withdrawn,
    "write_unknown": unknown,
    "failed": refused,
    "running": running,
    "awaiting_approval": waiting,
}


@pytest.fixture(scope="session")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """The bundle of an operation of each outcome, by that."""

    async def all_of_them() -> dict[str, bytes]:
        folder = tmp_path_factory.mktemp("stories")
        return {
            name: await (await story(partial(begin, folder / name))).bundle()
            for name, story in STORIES.items()
        }

    return asyncio.run(all_of_them())


@pytest.fixture
def cast() -> SimpleNamespace:
    """What a test needs to tell a story of its own."""
    return SimpleNamespace(
        case=Case, begin=begin, order=order, report=report, ann=ANN, bob=BOB, stories=STORIES
    )


@pytest.fixture
def key() -> ProofKey:
    return KEY


@pytest.fixture
def tampered() -> Callable[..., bytes]:
    """A bundle that an insider changed, and signed anew with the service's own key."""

    def change(raw: bytes, tamper: Tamper, *, rechained: bool = True) -> bytes:
        document = json.loads(raw)
        tamper(document)
        if rechained:
            rechain(document)
        document.pop("signature")
        return signed(document, KEY)

    return change


def rechain(document: dict[str, Any]) -> None:
    """Give all rows the numbers, signatures and hashes that fit what they say."""
    operation, previous = document["operation"], GENESIS
    for sequence, row in enumerate(document["rows"], start=1):
        row["sequence"] = sequence
        place = operation["tenant"], operation["id"], sequence, row["type"]
        if "signature" in row["data"]:
            act = act_data(*place, row["data"], previous)
            row["data"]["signature"] = signature_over(act, KEY)
        row["hash"] = previous = row_hash(*place, row["data"], previous)
