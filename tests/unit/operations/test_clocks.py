"""Whoever writes has a clock of its own, and may stand still between a look at it and the write."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals import offering, rules
from countersign.approvals.errors import Expired
from countersign.approvals.events import DecisionRecorded, OperationStarted
from countersign.approvals.ledger import Entry, Row
from countersign.approvals.person import Person
from countersign.operations.repository import Changed, Operations
from countersign.stores.memory_index import MemoryIndex
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.summary import Summary

OFFER = offering.Open(version=1, digest="d", content="c", evidence="e")
WINDOW = 60


class SlowToAnnounce(MemoryIndex):
    """An index whose next announcement takes long."""

    def __init__(self, index: MemoryIndex, delay: Any) -> None:
        super().__init__()
        self._rows, self._announced = index._rows, index._announced
        self.delay = delay

    async def announce(self, tenant: str, operation_id: str, at: Any) -> str:
        delay, self.delay = self.delay, lambda: None
        delay()
        return await super().announce(tenant, operation_id, at)


class SlowToWrite(SqliteLedger):
    """A file whose writer is busy with something else before the next change."""

    delay: Any = staticmethod(lambda: None)

    async def append(
        self,
        tenant: str,
        operation_id: str,
        expected_sequence: int,
        events: Sequence[Entry],
        *,
        shown: Summary | None = None,
        first: Any = None,
    ) -> list[Row]:
        def turn() -> None:
            delay, self.delay = self.delay, lambda: None
            delay()
            if first:
                first()

        return await super().append(
            tenant, operation_id, expected_sequence, events, shown=shown, first=turn
        )


def approval(reviewer: Person) -> Any:
    command = rules.Decide(reviewer=reviewer, version=1, digest="d", decision="approve")
    return lambda state, now: rules.decide(state, command, now)


async def with_a_version(operations: Operations, started: OperationStarted) -> None:
    await operations.start("home", "o-1", started)
    opened = await operations.change(
        "home", "o-1", lambda state, now: offering.open_proposal(state, OFFER, now)
    )
    assert isinstance(opened, Changed)


@pytest.mark.parametrize("seconds", [1, 3600])
async def test_a_decision_whose_machine_stood_still_over_its_deadline_is_late(
    operations: Operations, started: OperationStarted, reviewer: Person, clock: Any, seconds: int
) -> None:
    await with_a_version(operations, started)
    clock.move(WINDOW - 1)
    index: Any = operations.index
    slow = Operations(operations.ledger, SlowToAnnounce(index, lambda: clock.move(seconds)), clock)
    assert isinstance(await slow.change("home", "o-1", approval(reviewer)), Expired)
    assert len(await operations.ledger.read("home", "o-1")) == 2
    assert [each async for each in slow.index.announced_before(clock() + timedelta(1))] == []


async def test_a_decision_that_waited_for_its_turn_to_be_written_over_its_deadline_is_late(
    tmp_path: Path, started: OperationStarted, reviewer: Person, clock: Any
) -> None:
    ledger = SlowToWrite(tmp_path / "countersign.db")
    operations = Operations(ledger, MemoryIndex(), clock, one_file=ledger)
    await with_a_version(operations, started)
    clock.move(WINDOW - 1)
    ledger.delay = lambda: clock.move(15)
    assert isinstance(await operations.change("home", "o-1", approval(reviewer)), Expired)
    assert len(await ledger.read("home", "o-1")) == 2


async def test_a_machine_that_stood_still_within_the_time_records_what_it_was_about_to(
    operations: Operations, started: OperationStarted, reviewer: Person, clock: Any
) -> None:
    await with_a_version(operations, started)
    index: Any = operations.index
    slow = Operations(operations.ledger, SlowToAnnounce(index, lambda: clock.move(20)), clock)
    moment = clock()
    changed = await slow.change("home", "o-1", approval(reviewer))
    assert isinstance(changed, Changed)
    assert changed.events[0].at == moment


@pytest.mark.parametrize("behind", [3, 3600])
async def test_no_event_is_before_the_one_that_it_follows_though_its_machine_s_clock_is_behind(
    operations: Operations,
    started: OperationStarted,
    reviewer: Person,
    clock: Any,
    behind: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await with_a_version(operations, started)
    late = Operations(
        operations.ledger, operations.index, lambda: clock() - timedelta(seconds=behind)
    )
    changed = await late.change("home", "o-1", approval(reviewer))
    assert isinstance(changed, Changed)
    decided = changed.events[0]
    assert isinstance(decided, DecisionRecorded)
    assert decided.at == clock()
    assert ("clocks differ" in caplog.text) == (behind > 60)
