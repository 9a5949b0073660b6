"""What stands still, and has to be moved on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from countersign.stores.errors import StoreError
from countersign.stores.index import Index
from countersign.stores.search import Search
from countersign.stores.summary import Summary
from testbed.rows import put

Build = Callable[..., Summary]
MINUTE = timedelta(minutes=1)


async def stalled(index: Index, since: datetime) -> list[str]:
    return [row.operation_id async for row in index.stalled(since)]


async def test_what_moves_by_itself_is_stalled_once_it_stands_still(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1", state="running", stage="writing", expires_at=None))
    assert await stalled(index, now - MINUTE) == []
    assert await stalled(index, now + MINUTE) == ["op-1"]


async def test_what_waits_for_a_person_is_stalled_only_after_its_deadline_in_older_rows(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1", expires_at=now + 60 * MINUTE))
    assert await stalled(index, now + 59 * MINUTE) == []
    assert await stalled(index, now + 60 * MINUTE) == ["op-1"]


async def test_what_was_asked_is_stalled_while_its_operation_waits(
    index: Index, summary: Build, now: datetime
) -> None:
    asked = summary("op-1", expires_at=now + 60 * MINUTE, asked_at=now + 5 * MINUTE)
    await put(index, asked)
    assert await index.get("home", "op-1") == asked
    assert await stalled(index, now + 4 * MINUTE) == []
    assert await stalled(index, now + 5 * MINUTE) == ["op-1"]
    await put(index, replace(asked, asked_at=None, sequence=asked.sequence + 1))
    assert await stalled(index, now + 59 * MINUTE) == []


async def test_a_question_puts_off_nothing_else(
    index: Index, summary: Build, now: datetime
) -> None:
    asked = now + 60 * MINUTE
    await put(index, summary("op-1", expires_at=now + 5 * MINUTE, asked_at=asked))
    assert await stalled(index, now + 5 * MINUTE) == ["op-1"]


async def test_what_is_decided_and_not_closed_can_stall(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1", state="rejected", stage="closing"))
    assert await stalled(index, now + MINUTE) == ["op-1"]


async def test_what_is_closed_never_stalls(index: Index, summary: Build, now: datetime) -> None:
    row = summary("op-1", state="running", stage="writing", expires_at=None)
    await put(index, row, replace(row, state="failed", stage="closed", sequence=9))
    assert await stalled(index, now + 9999 * MINUTE) == []


async def test_what_stands_still_for_longest_comes_first_in_every_tenant(
    index: Index, summary: Build, now: datetime
) -> None:
    for minutes, tenant in ((2, "home"), (0, "other"), (1, "home")):
        moment = now + minutes * MINUTE
        row = summary(f"op-{minutes}", tenant=tenant, state="running", updated_at=moment)
        await put(index, row)
    assert await stalled(index, now + 9 * MINUTE) == ["op-0", "op-1", "op-2"]


async def test_a_damaged_row_is_stalled_as_any_other_and_putting_again_heals_it(
    index: Index, summary: Build, now: datetime, ruin_rows: Callable[[], None]
) -> None:
    rows = [summary("op-0", tenant="other"), summary("op-1"), summary("op-2", tenant="a/b")]
    rows = [replace(row, state="running", updated_at=now) for row in rows]
    await put(index, *rows)
    ruin_rows()
    keys = [(row.tenant, row.operation_id) async for row in index.stalled(now + MINUTE)]
    assert sorted(keys) == sorted((row.tenant, row.operation_id) for row in rows)
    with pytest.raises(StoreError, match="can't be read"):
        await index.get("home", "op-1")
    await put(index, *rows)
    assert [await index.get(row.tenant, row.operation_id) for row in rows] == rows
    for row in rows:
        page = await index.search(row.tenant, Search(state="running"), limit=9)
        assert list(page.rows) == [row]


async def test_no_stalled_operation_is_passed_over_however_many_there_are(
    index: Index, summary: Build, now: datetime
) -> None:
    names = [f"op-{number:03}" for number in range(205)]
    rows = [summary(name, state="running", updated_at=now) for name in names]
    await asyncio.gather(*(index.put(row, "none") for row in rows))
    assert sorted(await stalled(index, now + MINUTE)) == names


async def test_a_walk_goes_on_behind_any_position(
    index: Index, summary: Build, now: datetime
) -> None:
    for number in range(5):
        # Two and two stand still for equally long.
        due = now + number // 2 * MINUTE
        of = "home" if number % 2 else "away"
        await put(
            index,
            summary(f"op-{number}", tenant=of, state="running", stage="writing", updated_at=due),
        )
    rows = [row async for row in index.stalled(now + 9 * MINUTE)]
    assert len(rows) == 5
    for place, row in enumerate(rows):
        behind = [each async for each in index.stalled(now + 9 * MINUTE, after=row.position)]
        assert behind == rows[place + 1 :]


async def test_what_waits_for_a_person_is_stalled_once_a_reminder_is_due(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1", wakes_at=now + 30 * MINUTE))
    assert await stalled(index, now + 29 * MINUTE) == []
    assert await stalled(index, now + 30 * MINUTE) == ["op-1"]
