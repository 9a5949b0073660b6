"""Operations are changed by rules on their newest state, whoever else is writing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

import pytest

from countersign.approvals import offering, rules, writes
from countersign.approvals.errors import (
    AlreadyDecided,
    Conflict,
    Expired,
    ImpossibleHistory,
    LedgerError,
    NotFound,
    Refusal,
)
from countersign.approvals.events import OperationClosed, OperationStarted
from countersign.approvals.ledger import Entry, Ledger, Row
from countersign.approvals.operation import Operation
from countersign.approvals.person import SYSTEM, Person
from countersign.operations.repository import Changed, Operations
from countersign.operations.rule import Rule, in_turn
from countersign.stores.artifacts import MissingArtifact
from countersign.stores.errors import StoreUnavailable
from countersign.stores.index import Announcement
from testbed.passed_on import PassedOn

OFFER = offering.Open(version=1, digest="d", content="c", evidence="e")
ID = "o-1"


class Interrupted(PassedOn):
    """A ledger before whose next append something else happens."""

    def __init__(self, ledger: Ledger, interruption: Any) -> None:
        super().__init__(ledger)
        self.interruption = interruption

    async def append(
        self, tenant: str, operation_id: str, expected_sequence: int, events: Sequence[Entry]
    ) -> list[Row]:
        if self.interruption:
            interruption, self.interruption = self.interruption, None
            await interruption()
        return await self.ledger.append(tenant, operation_id, expected_sequence, events)


@pytest.fixture
async def opened(operations: Operations, started: OperationStarted) -> Operation:
    await operations.start("home", ID, started)
    changed = await operations.change(
        "home", ID, lambda state, now: offering.open_proposal(state, OFFER, now)
    )
    assert isinstance(changed, Changed)
    return changed.operation


async def announced(operations: Operations) -> list[Announcement]:
    return [each async for each in operations.index.announced_before(operations.clock())]


def approval(reviewer: Person) -> Any:
    command = rules.Decide(reviewer=reviewer, version=1, digest="d", decision="approve")
    return lambda state, now: rules.decide(state, command, now)


async def test_what_is_not_there_is_not_found(operations: Operations, reviewer: Person) -> None:
    assert await operations.change("home", ID, approval(reviewer)) == NotFound()


async def test_starting_twice_begins_once(
    operations: Operations, started: OperationStarted
) -> None:
    both = await asyncio.gather(*(operations.start("home", ID, started) for _ in range(5)))
    assert all(each.operation == both[0].operation for each in both)
    assert sum(len(each.events) for each in both) == 1
    assert len(await operations.ledger.read("home", ID)) == 1


async def test_the_loser_of_a_race_is_judged_on_what_the_winner_wrote(
    operations: Operations, opened: Operation, reviewer: Person
) -> None:
    rejecter = Person(id="wanda", name="Wanda", tenant="home", roles=reviewer.roles)
    command = rules.Decide(reviewer=rejecter, version=1, digest="d", decision="reject")

    async def rejection() -> None:
        await operations.change("home", ID, lambda state, now: rules.decide(state, command, now))

    slow = Operations(Interrupted(operations.ledger, rejection), operations.index, operations.clock)
    answer = await slow.change("home", ID, approval(reviewer))
    assert isinstance(answer, AlreadyDecided)
    assert (answer.by, answer.decision) == ("Wanda", "reject")


async def test_a_decision_that_loses_a_race_against_its_deadline_is_late(
    operations: Operations, opened: Operation, reviewer: Person, clock: Any
) -> None:
    clock.move(59.999)

    async def deadline() -> None:
        clock.move(0.001)
        await operations.change("home", ID, lambda state, now: rules.settle(state, 1, now))

    slow = Operations(Interrupted(operations.ledger, deadline), operations.index, clock)
    assert isinstance(await slow.change("home", ID, approval(reviewer)), Expired)


async def test_the_index_shows_every_change(
    operations: Operations, opened: Operation, reviewer: Person
) -> None:
    row = await operations.index.get("home", ID)
    assert row
    assert (row.state, row.sequence) == ("awaiting_approval", 2)
    await operations.change("home", ID, approval(reviewer))
    row = await operations.index.get("home", ID)
    assert row
    assert (row.state, row.stage, row.sequence) == ("running", "publishing", 4)


async def test_a_writer_that_died_before_the_index_leaves_an_announcement(
    operations: Operations, started: OperationStarted, clock: Any
) -> None:
    async def death() -> None:
        raise ConnectionAbortedError

    dying = Operations(Interrupted(operations.ledger, death), operations.index, clock)
    with pytest.raises(ConnectionAbortedError):
        await dying.start("home", ID, started)
    await operations.ledger.append("home", ID, 0, [started])
    clock.move(1)
    [left] = await announced(operations)
    await operations.refresh(left.tenant, left.operation_id, left.token)
    row = await operations.index.get("home", ID)
    assert row
    assert row.sequence == 1
    assert not await announced(operations)


async def test_an_announcement_of_nothing_is_retracted(operations: Operations, clock: Any) -> None:
    token = await operations.index.announce("home", "never", clock())
    clock.move(1)
    assert await operations.refresh("home", "never", token) is None
    assert not await announced(operations)


async def test_a_change_is_announced_while_what_it_needs_is_seen_to(
    operations: Operations, opened: Operation, clock: Any
) -> None:
    announced: list[Announcement] = []

    async def look() -> None:
        # An announcement that waited for this would never come.
        while not announced:
            await asyncio.sleep(0)
            clock.move(1)
            announced.extend([each async for each in operations.index.announced_before(clock())])

    changed = await operations.change("home", ID, _settled, ready=look)
    assert changed == Changed(operation=opened, events=())
    assert announced == []
    withdrawn = await operations.change("home", ID, _withdrawn(opened), ready=look)
    assert isinstance(withdrawn, Changed)
    assert [each.operation_id for each in announced] == [ID]


async def test_nothing_is_recorded_where_what_it_needs_is_not_there(
    operations: Operations, opened: Operation, clock: Any
) -> None:
    async def fail() -> None:
        raise MissingArtifact("gone")

    with pytest.raises(MissingArtifact):
        await operations.change("home", ID, _withdrawn(opened), ready=fail)
    assert await operations.load("home", ID) == opened
    clock.move(1)
    assert [each async for each in operations.index.announced_before(clock())] == []


def _settled(state: Operation, now: datetime) -> rules.Ruling:
    return rules.settle(state, 1, now)


def _withdrawn(operation: Operation) -> Rule:
    who = operation.requester
    person = Person(id=who.id, name=who.name, tenant="home", roles=frozenset())
    return lambda state, now: rules.withdraw(state, person, "", now)


async def test_a_conflict_is_never_the_callers(
    operations: Operations, opened: Operation, reviewer: Person
) -> None:
    people = [
        Person(id=f"p{n}", name=f"P{n}", tenant="home", roles=reviewer.roles) for n in range(8)
    ]
    answers = await asyncio.gather(
        *(operations.change("home", ID, approval(person)) for person in people),
        return_exceptions=True,
    )
    assert not [each for each in answers if isinstance(each, (BaseException, Conflict))]
    assert sum(isinstance(each, Changed) for each in answers) == 1


async def test_a_recorded_change_stands_also_when_the_index_can_not_be_written(
    operations: Operations, started: OperationStarted, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: Any) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(operations.index, "put", full)
    begun = await operations.start("home", ID, started)
    assert len(begun.events) == 1
    clock.move(1)
    [left] = await announced(operations)
    assert left.operation_id == ID


async def test_events_that_could_never_have_happened_are_said_to_be_so(
    operations: Operations, started: OperationStarted
) -> None:
    closing = OperationClosed(at=started.at, actor=SYSTEM, outcome="failed")
    await operations.ledger.append("home", ID, 0, [closing])
    with pytest.raises(ImpossibleHistory):
        await operations.load("home", ID)


class Counted(PassedOn):
    """A ledger that knows how often it was read."""

    reads = 0

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        self.reads += 1
        return await self.ledger.read(tenant, operation_id)


async def test_what_was_read_just_now_is_changed_without_another_look(
    operations: Operations, opened: Operation, reviewer: Person
) -> None:
    counted = Counted(operations.ledger)
    looking = Operations(counted, operations.index, operations.clock)
    await looking.load("home", ID)
    changed = await looking.change("home", ID, approval(reviewer), again=True)
    assert isinstance(changed, Changed)
    assert changed.operation == await operations.load("home", ID)
    assert counted.reads == 1


async def test_what_others_changed_since_is_read_again_before_anything_is_said_or_recorded(
    operations: Operations, opened: Operation, reviewer: Person
) -> None:
    behind = Operations(operations.ledger, operations.index, operations.clock)
    await behind.load("home", ID)
    await operations.change("home", ID, approval(reviewer))
    rejecter = Person(id="wanda", name="Wanda", tenant="home", roles=reviewer.roles)
    command = rules.Decide(reviewer=rejecter, version=1, digest="d", decision="reject")
    answer = await behind.change(
        "home", ID, lambda state, now: rules.decide(state, command, now), again=True
    )
    assert isinstance(answer, AlreadyDecided)
    # What would change nothing may only seem so.
    await operations.change("home", ID, lambda state, now: writes.reserve_write(state, 1, "d", now))
    unaware = Operations(operations.ledger, operations.index, operations.clock)
    await unaware.load("home", ID)
    await operations.change(
        "home", ID, lambda state, now: writes.refuse_write(state, "no", now, None)
    )
    again = await unaware.change(
        "home", ID, lambda state, now: writes.reserve_write(state, 1, "d", now), again=True
    )
    assert not (isinstance(again, Changed) and not again.events)


async def test_rules_in_turn_are_recorded_together_or_as_far_as_they_go(
    operations: Operations, opened: Operation, reviewer: Person
) -> None:
    approve = approval(reviewer)
    reserve = partial(_reserved, digest="d")
    both = await operations.change("home", ID, in_turn(approve, reserve))
    assert isinstance(both, Changed)
    assert [type(event).__name__ for event in both.events][-1] == "WriteClaimed"
    refused = partial(_reserved, digest="another")
    assert isinstance(await operations.change("home", ID, in_turn(refused, reserve)), Refusal)
    late = await operations.change("home", ID, in_turn(reserve, refused))
    assert isinstance(late, Refusal)


def _reserved(state: Operation, now: datetime, digest: str) -> Any:
    return writes.reserve_write(state, 1, digest, now)


class Crowded(Interrupted):
    """A ledger to which somebody else always appends first."""

    async def append(
        self, tenant: str, operation_id: str, expected_sequence: int, events: Sequence[Entry]
    ) -> list[Row]:
        raise Conflict


class Gapped(Interrupted):
    """A ledger that has lost a row; `interruption` is its number."""

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        rows = await self.ledger.read(tenant, operation_id)
        return [row for row in rows if row.sequence != self.interruption]


@pytest.fixture
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(_: int) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr("countersign.operations.repository.give_way", at_once)


@pytest.mark.usefixtures("without_pauses")
async def test_a_change_that_never_comes_first_ends_as_a_store_that_is_away(
    operations: Operations, opened: Operation, started: OperationStarted, reviewer: Person
) -> None:
    crowded = Operations(Crowded(operations.ledger, None), operations.index, operations.clock)
    with pytest.raises(StoreUnavailable, match="changed by others"):
        await crowded.change("home", ID, approval(reviewer))
    with pytest.raises(StoreUnavailable, match="changed by others"):
        await crowded.start("home", "o-2", started)


@pytest.mark.parametrize("lost", [1, 2])
async def test_a_row_that_is_missing_is_told_at_once_and_nothing_is_recorded(
    operations: Operations, opened: Operation, reviewer: Person, lost: int
) -> None:
    await operations.change("home", ID, approval(reviewer))
    gapped = Operations(Gapped(operations.ledger, lost), operations.index, operations.clock)
    rows = len(await operations.ledger.read("home", ID))
    with pytest.raises(LedgerError):
        await gapped.change("home", ID, lambda state, now: rules.withdraw(state, reviewer, "", now))
    assert len(await operations.ledger.read("home", ID)) == rows
