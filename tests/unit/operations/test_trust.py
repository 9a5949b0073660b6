"""A ledger that somebody else wrote to is shown, and never acted on."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from countersign.approvals import offering, rules, writes
from countersign.approvals.acts import Trust
from countersign.approvals.errors import UntrustedLedger
from countersign.approvals.events import DecisionRecorded, Event, OperationStarted, ProposalApproved
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.standing import needs_operator
from countersign.operations.repository import Changed, Operations
from countersign.operations.summary import state_of
from countersign.operations.trusted_rows import CHECKED_AGAIN
from countersign.proof.keys import ProofKey
from countersign.proof.seal import KeySeal
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex

if TYPE_CHECKING:
    from conftest import MovableClock

TENANT, NAME, DIGEST = "home", "research-1", "d" * 64
KEY = ProofKey(seed=bytes(32))
RITA = Person(id="rita", name="Rita", tenant=TENANT, roles=frozenset(), token="e" * 64)


def operations_at(file: Path, clock: MovableClock, trust: Trust | None) -> Operations:
    return Operations(SqliteLedger(file), SqliteIndex(file), clock, trust)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "countersign.db"


@pytest.fixture
def trusting(file: Path, clock: MovableClock) -> Operations:
    return operations_at(file, clock, Trust(seal=KeySeal(KEY)))


async def waiting(operations: Operations, started: OperationStarted) -> Operation:
    """An operation with one version that waits for a decision."""
    await operations.start(TENANT, NAME, started, by=RITA)
    offer = offering.Open(version=1, digest=DIGEST, content="c" * 64, evidence=None)
    opened = await operations.change(
        TENANT, NAME, lambda state, now: offering.open_proposal(state, offer, now)
    )
    assert isinstance(opened, Changed)
    return opened.operation


def approval(operation: Operation, who: Person) -> Sequence[Event]:
    command = rules.Decide(reviewer=who, version=1, digest=DIGEST, decision="approve")
    answer = rules.decide(operation, command, operation.updated_at)
    assert isinstance(answer, tuple)
    return answer


async def forge(file: Path, operation: Operation, reviewer: Person) -> None:
    """Whoever can write the storage approves in a reviewer's name, with hashes that fit."""
    events = approval(operation, reviewer)
    assert [type(event) for event in events] == [DecisionRecorded, ProposalApproved]
    await SqliteLedger(file).append(TENANT, NAME, operation.sequence, events)


async def test_what_a_person_did_counts_and_is_recorded_with_what_proved_them(
    trusting: Operations, started: OperationStarted, reviewer: Person
) -> None:
    await waiting(trusting, started)
    command = rules.Decide(reviewer=reviewer, version=1, digest=DIGEST, decision="approve")
    decided = await trusting.change(
        TENANT,
        NAME,
        lambda state, now: rules.decide(state, command, now),
        by=replace(reviewer, token="f" * 64),
    )
    assert isinstance(decided, Changed)
    rows, broken = await trusting.recorded(TENANT, NAME)
    assert broken is None
    assert [row.data.get("token") for row in rows] == ["e" * 64, None, "f" * 64, "f" * 64]
    operation = await trusting.trusted(TENANT, NAME)
    assert operation == decided.operation


async def test_a_forged_approval_is_not_acted_on_and_said_to_the_operator(
    trusting: Operations, file: Path, started: OperationStarted, reviewer: Person
) -> None:
    await forge(file, await waiting(trusting, started), reviewer)
    seen = await trusting.load(TENANT, NAME)
    assert seen
    assert [proposal.status for proposal in seen.proposals] == ["pending"]
    hold = needs_operator(seen)
    assert hold
    assert hold.cause == "ledger_untrusted"
    assert hold.reason.startswith("Row 3 (DecisionRecorded) has no signature")
    assert state_of(seen) == "needs_operator"
    with pytest.raises(UntrustedLedger, match="Row 3"):
        await trusting.trusted(TENANT, NAME)
    assert (await trusting.recorded(TENANT, NAME))[1] == 3


async def test_nothing_follows_on_a_forged_row(
    trusting: Operations, file: Path, started: OperationStarted, reviewer: Person
) -> None:
    await forge(file, await waiting(trusting, started), reviewer)
    changes = (
        lambda state, now: writes.reserve_write(state, 1, DIGEST, now),
        lambda state, now: rules.settle(state, 1, now),
        lambda state, now: rules.withdraw(state, RITA, "", now),
    )
    for change in changes:
        with pytest.raises(UntrustedLedger):
            await trusting.change(TENANT, NAME, change)
    assert len(await trusting.ledger.read(TENANT, NAME)) == 4
    shown = await trusting.index.get(TENANT, NAME)
    assert shown
    assert (shown.state, shown.cause) == ("needs_operator", "ledger_untrusted")


async def test_looking_again_at_a_ledger_that_is_held_tells_the_log_nothing(
    trusting: Operations,
    file: Path,
    clock: MovableClock,
    started: OperationStarted,
    reviewer: Person,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await forge(file, await waiting(trusting, started), reviewer)
    row = await trusting.index.get(TENANT, NAME)
    assert row
    await trusting.index.put(replace(row, sequence=4), "of the forger's own")
    told: list[list[str]] = []
    for _ in range(3):
        caplog.clear()
        clock.move(CHECKED_AGAIN.total_seconds() + 1)
        assert [key.operation_id async for key in trusting.index.stalled(clock())] == [NAME]
        assert await trusting.shown(TENANT, NAME)
        with pytest.raises(UntrustedLedger):
            await trusting.trusted(TENANT, NAME)
        assert [key.operation_id async for key in trusting.index.stalled(clock())] == []
        told.append(caplog.messages)
    [first], *later = told
    assert first.startswith(f"the ledger of {NAME} can't be trusted: Row 3 (DecisionRecorded)")
    assert later == [[], []]


async def test_it_goes_on_once_the_rows_are_as_they_were_recorded(
    trusting: Operations,
    file: Path,
    clock: MovableClock,
    started: OperationStarted,
    reviewer: Person,
) -> None:
    before = await waiting(trusting, started)
    await forge(file, before, reviewer)
    with pytest.raises(UntrustedLedger):
        await trusting.trusted(TENANT, NAME)
    with closing(sqlite3.connect(file)) as database:
        database.execute("DROP TRIGGER no_delete")
        database.execute("DELETE FROM ledger WHERE sequence > 2")
        database.commit()
    clock.move(CHECKED_AGAIN.total_seconds() + 1)
    assert [key.operation_id async for key in trusting.index.stalled(clock())] == [NAME]
    assert await trusting.trusted(TENANT, NAME) == before
    assert (await trusting.recorded(TENANT, NAME))[1] is None


async def test_a_forged_beginning_is_not_acted_on(
    trusting: Operations, file: Path, clock: MovableClock, started: OperationStarted
) -> None:
    """It looks like an operation from before people's acts were signed."""
    await waiting(operations_at(file, clock, None), started)
    seen = await trusting.load(TENANT, NAME)
    assert seen
    assert seen.current
    hold = needs_operator(seen)
    assert hold
    assert hold.cause == "ledger_unsigned"
    with pytest.raises(UntrustedLedger):
        await trusting.trusted(TENANT, NAME)


async def test_operations_from_before_signatures_go_on_as_long_as_the_operator_says(
    file: Path, clock: MovableClock, started: OperationStarted, reviewer: Person
) -> None:
    operation = await waiting(operations_at(file, clock, None), started)
    until = clock() + timedelta(seconds=30)
    changing = operations_at(file, clock, Trust(seal=KeySeal(KEY), unsigned_until=until))
    assert await changing.trusted(TENANT, NAME) == operation
    command = rules.Decide(reviewer=reviewer, version=1, digest=DIGEST, decision="approve")
    await changing.change(TENANT, NAME, lambda state, now: rules.decide(state, command, now))
    assert "signature" in (await changing.ledger.read(TENANT, NAME))[2].data
    clock.move(31)
    with pytest.raises(UntrustedLedger):
        await changing.trusted(TENANT, NAME)


async def test_what_was_closed_before_signatures_is_read_as_it_is(
    trusting: Operations,
    file: Path,
    clock: MovableClock,
    started: OperationStarted,
) -> None:
    older = operations_at(file, clock, None)
    await waiting(older, started)
    await older.change(
        TENANT, NAME, lambda state, now: rules.close(state, "failed", "", now, written="published")
    )
    seen = await trusting.trusted(TENANT, NAME)
    assert seen
    assert seen.hold is None
    assert (await trusting.recorded(TENANT, NAME))[1] is None


class Counted(KeySeal):
    """A seal that knows how often it was asked about a signature."""

    asked = 0

    def fault(self, signature: str, data: bytes) -> str | None:
        self.asked += 1
        return super().fault(signature, data)


async def test_rows_are_checked_once_as_long_as_they_are_the_same(
    file: Path, clock: MovableClock, started: OperationStarted
) -> None:
    seal = Counted(KEY)
    written = await waiting(operations_at(file, clock, Trust(seal=seal)), started)
    reading = operations_at(file, clock, Trust(seal=seal))
    for _ in range(3):
        assert await reading.trusted(TENANT, NAME) == written
    assert seal.asked == 1


async def test_rows_that_were_checked_are_not_acted_on_once_somebody_has_changed_them(
    trusting: Operations, file: Path, started: OperationStarted
) -> None:
    await waiting(trusting, started)
    assert await trusting.trusted(TENANT, NAME)
    with closing(sqlite3.connect(file)) as database:
        database.execute("DROP TRIGGER no_update")
        database.execute(
            "UPDATE ledger SET data = replace(data, :was, :is) WHERE sequence = 2",
            {"was": DIGEST, "is": "e" * 64},
        )
        database.commit()
    with pytest.raises(UntrustedLedger, match="Row 2"):
        await trusting.trusted(TENANT, NAME)
