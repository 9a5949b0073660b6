"""The index is what the ledgers say, whatever became of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from countersign.approvals.events import OperationStarted, WorkDone
from countersign.approvals.person import SYSTEM
from countersign.operations.rebuilding import Rebuilt, rebuild
from countersign.operations.repository import Operations
from countersign.operations.summary import summarise
from countersign.stores.index import Index
from countersign.stores.memory_index import MemoryIndex
from testbed.rows import ids, put


@pytest.fixture
async def begun(operations: Operations, started: OperationStarted) -> list[str]:
    names = [f"o-{number}" for number in range(5)]
    for each in names:
        await operations.start("home", each, started)
    await operations.start("other", "o-9", started)
    return names


def with_another_index(operations: Operations, index: Index) -> Operations:
    return Operations(operations.ledger, index, operations.clock)


async def all_of(operations: Operations, after: str | None = None) -> list[Rebuilt]:
    return [done async for done in rebuild(operations, "home", after=after)]


async def test_a_lost_index_is_there_again(operations: Operations, begun: list[str]) -> None:
    emptied = with_another_index(operations, MemoryIndex())
    [done] = await all_of(emptied)
    assert (done.operations, done.corrected, done.unreadable, done.last) == (5, 5, {}, begun[-1])
    assert sorted(await ids(emptied.index)) == begun
    assert await ids(emptied.index, "other") == []
    for each in begun:
        assert await emptied.index.get("home", each) == await operations.index.get("home", each)


async def test_where_all_is_well_nothing_is_corrected(
    operations: Operations, begun: list[str]
) -> None:
    [done] = await all_of(operations)
    assert (done.operations, done.corrected) == (len(begun), 0)


async def test_a_wrong_row_is_corrected(operations: Operations, begun: list[str]) -> None:
    right = await operations.index.get("home", "o-1")
    assert right
    await put(operations.index, replace(right, state="published", stage="closed"))
    [done] = await all_of(operations)
    assert (done.corrected, len(begun)) == (1, 5)
    assert await operations.index.get("home", "o-1") == right


async def test_it_goes_on_where_it_ended(
    operations: Operations, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countersign.operations.rebuilding.BATCH", 2)
    emptied = with_another_index(operations, MemoryIndex())
    assert [done.last for done in await all_of(emptied)] == ["o-1", "o-3", "o-4"]
    assert [done.operations for done in await all_of(emptied, after="o-1")] == [2, 1]
    assert await all_of(emptied, after=begun[-1]) == []


async def test_a_ledger_that_could_never_have_happened_is_named_and_holds_up_no_other(
    operations: Operations, begun: list[str]
) -> None:
    work = WorkDone(at=operations.clock(), actor=SYSTEM, step="plan", result="1" * 64)
    await operations.ledger.append("home", "o-2a", 0, [work])
    emptied = with_another_index(operations, MemoryIndex())
    [done] = await all_of(emptied)
    assert done.corrected == len(begun)
    assert list(done.unreadable) == ["o-2a"]


async def test_what_is_over_and_was_shown_as_open_is_shown_as_it_is(
    operations: Operations, begun: list[str]
) -> None:
    operation = await operations.load("home", begun[0])
    assert operation
    await put(operations.index, replace(summarise(operation), title="Beavers"))
    assert await operations.shown("home", begun[0]) == operation
    assert await operations.index.get("home", begun[0]) == summarise(operation)
    assert await operations.shown("home", "o-99") is None
