"""What is closed, and has something left in the durable runtime."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from countersign.stores.index import Index
from countersign.stores.summary import Summary
from testbed.rows import ids, put

Build = Callable[..., Summary]
MINUTE = timedelta(minutes=1)


async def unpurged(index: Index, since: datetime) -> list[str]:
    return [key.operation_id async for key in index.unpurged(since)]


def closed_row(build: Build, name: str, at: datetime) -> Summary:
    return build(name, state="published", stage="closed", expires_at=None, updated_at=at)


async def test_only_what_is_closed_and_unchanged_for_long_enough_is_to_be_purged(
    index: Index, summary: Build, now: datetime
) -> None:
    row = summary("op-1", state="running", stage="closing", updated_at=now - MINUTE)
    await put(index, row)
    assert await unpurged(index, now + 9999 * MINUTE) == []
    closed = replace(row, state="published", stage="closed", updated_at=now, sequence=6)
    await put(index, closed)
    assert await unpurged(index, now - MINUTE) == []
    assert await unpurged(index, now) == ["op-1"]
    await put(index, replace(closed, updated_at=now + MINUTE, sequence=7))
    assert await unpurged(index, now) == []
    assert await unpurged(index, now + MINUTE) == ["op-1"]


async def test_what_is_purged_is_on_that_list_no_more_and_on_all_others_as_before(
    index: Index, summary: Build, now: datetime
) -> None:
    rows = [closed_row(summary, name, now) for name in ("op-1", "op-2")]
    await put(index, *rows)
    await index.purged("home", "op-1", now)
    assert await unpurged(index, now) == ["op-2"]
    await index.purged("home", "op-1", now)
    await index.purged("home", "none", now)
    await index.purged("other", "op-2", now)
    assert await unpurged(index, now) == ["op-2"]
    assert await index.get("home", "op-1") == rows[0]
    assert await ids(index) == await ids(index, state="published") == ["op-2", "op-1"]


async def test_what_changed_since_it_was_looked_at_is_not_taken_for_purged(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, closed_row(summary, "op-1", now + MINUTE))
    await index.purged("home", "op-1", now)
    assert await unpurged(index, now + MINUTE) == ["op-1"]


async def test_a_row_that_is_put_again_is_to_be_purged_again_and_once(
    index: Index, summary: Build, now: datetime
) -> None:
    row = closed_row(summary, "op-1", now)
    await put(index, row)
    await index.purged("home", "op-1", now)
    told = replace(row, updated_at=now + MINUTE, sequence=row.sequence + 1)
    await put(index, told, told)
    assert await unpurged(index, now + MINUTE) == ["op-1"]
    await index.purged("home", "op-1", now + MINUTE)
    assert await unpurged(index, now + MINUTE) == []
    assert await index.get("home", "op-1") == told


async def test_what_is_closed_for_longest_is_purged_first_in_every_tenant_however_many(
    index: Index, summary: Build, now: datetime
) -> None:
    tenants = ("home", "other")
    rows = [
        replace(closed_row(summary, f"op-{n:03}", now + n * MINUTE), tenant=tenants[n % 2])
        for n in range(205)
    ]
    await asyncio.gather(*(index.put(row, "none") for row in rows))
    late = now + 9999 * MINUTE
    assert await unpurged(index, late) == [row.operation_id for row in rows]
    walked: list[str] = []
    async for key in index.unpurged(late):
        walked.append(key.operation_id)
        await index.purged(*key, late)
    assert walked == [row.operation_id for row in rows]
    assert await unpurged(index, late) == []


async def test_a_damaged_row_is_to_be_purged_as_any_other(
    index: Index, summary: Build, now: datetime, ruin_rows: Callable[[], None]
) -> None:
    await put(index, closed_row(summary, "op-1", now))
    ruin_rows()
    assert await unpurged(index, now) == ["op-1"]
    await index.purged("home", "op-1", now)
    assert await unpurged(index, now) == []
