"""Many writers of one operation all come through, without keeping each other from their work."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from countersign.approvals import rules
from countersign.approvals.events import OperationStarted
from countersign.approvals.ledger import Entry, Ledger, Row
from countersign.operations.repository import Operations
from countersign.stores.index import Index
from testbed.passed_on import PassedOn

WRITERS = 40


class Counted(PassedOn):
    """A ledger that knows how often somebody tried to append."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self.appends = 0

    async def append(
        self, tenant: str, operation_id: str, expected_sequence: int, events: Sequence[Entry]
    ) -> list[Row]:
        self.appends += 1
        return await self.ledger.append(tenant, operation_id, expected_sequence, events)


async def do_work(operations: Operations, number: int) -> None:
    step = f"research:0:{number}"
    await operations.change(
        "home", "op-1", lambda state, now: rules.record_work(state, step, f"{number:064}", now)
    )


async def test_many_changes_at_once_are_all_made_in_a_bounded_number_of_rounds(
    ledger: Ledger, index: Index, started: OperationStarted, now: datetime
) -> None:
    counted = Counted(ledger)
    operations = Operations(counted, index, lambda: now)
    await operations.start("home", "op-1", started)
    await asyncio.gather(*(do_work(operations, number) for number in range(WRITERS)))
    # Each in turn would need 40 tries, and all at once, again and again, 820.
    assert counted.appends < 10 * WRITERS
    row = await index.get("home", "op-1")
    assert row
    assert row.sequence == WRITERS + 1
    assert [each async for each in index.announced_before(now.replace(year=2100))] == []


async def test_many_who_start_the_same_begin_it_once(
    ledger: Ledger, index: Index, started: OperationStarted, now: datetime
) -> None:
    operations = Operations(ledger, index, lambda: now)
    begun = await asyncio.gather(
        *(operations.start("home", "op-1", started) for _ in range(WRITERS))
    )
    assert sum(len(each.events) for each in begun) == 1
