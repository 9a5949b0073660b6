"""Rows of the index are written anew, whatever is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from countersign.stores.index import Index
from countersign.stores.search import Search
from countersign.stores.summary import Decider, Summary
from testbed.rows import ids, put

Build = Callable[..., Summary]


async def found(index: Index, **named: object) -> list[str]:
    page = await index.search("home", Search(**named), limit=10)  # type: ignore[arg-type]
    return [row.operation_id for row in page.rows]


async def test_what_is_missing_is_written_and_counted(index: Index, summary: Build) -> None:
    await put(index, summary("op-1"))
    assert await index.rewrite([summary("op-1"), summary("op-2")]) == 1
    assert await index.get("home", "op-2") == summary("op-2")
    assert sorted(await ids(index)) == ["op-1", "op-2"]
    assert await index.rewrite([]) == 0


async def test_what_differs_is_written_and_counted(index: Index, summary: Build) -> None:
    await put(index, summary(title="Beavers"))
    assert await index.rewrite([summary()]) == 1
    assert await index.get("home", "op-1") == summary()
    assert await found(index, words=("beavers",)) == []


async def test_a_newer_row_stays(index: Index, summary: Build) -> None:
    newer = summary(sequence=6, state="published", stage="closed")
    await put(index, newer)
    assert await index.rewrite([summary()]) == 0
    assert await index.get("home", "op-1") == newer
    assert await ids(index, state="awaiting_approval") == []


async def test_a_row_that_can_t_be_read_is_written(
    index: Index, summary: Build, ruin_rows: Callable[[], None]
) -> None:
    await put(index, summary())
    ruin_rows()
    assert await index.rewrite([summary()]) == 1
    assert await index.get("home", "op-1") == summary()


async def test_a_row_that_is_in_no_list_gets_into_all_of_them(
    index: Index, summary: Build, now: datetime, lose_lists: Callable[[], None]
) -> None:
    eve = Decider(person="eve", name="Eve", decision="approve", version=1, at=now)
    row = summary(decided_by=(eve,))
    await put(index, row)
    lose_lists()
    assert await found(index, words=("otters",)) == []
    await index.rewrite([row])
    assert await found(index, words=("otters",)) == ["op-1"]
    assert await found(index, decider="eve") == ["op-1"]
    assert await found(index, state="awaiting_approval") == ["op-1"]
    later = now + timedelta(hours=2)
    assert [each.operation_id async for each in index.stalled(later)] == ["op-1"]


@pytest.mark.parametrize("times", [1, 2])
async def test_a_row_that_was_written_anew_changes_as_any_other_does(
    index: Index, summary: Build, times: int
) -> None:
    for _ in range(times):
        await index.rewrite([summary()])
    await put(index, replace(summary(), sequence=6, state="rejected", stage="closed"))
    assert await ids(index, state="awaiting_approval") == []
    assert await ids(index, state="rejected") == ["op-1"]
