"""The inbox of somebody who approved thousands of open ones takes a few queries, not hundreds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from countersign.stores import tables
from countersign.stores.account import StorageAccount
from countersign.stores.search import Search, WaitsFor
from countersign.stores.summary import Summary
from countersign.stores.table_index import TableIndex

APPROVED = 60


@pytest.mark.parametrize("adapter", ["azure"])
async def test_what_somebody_approved_is_passed_over_many_at_a_time(
    account: StorageAccount,
    summary: Callable[..., Summary],
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    index = TableIndex(account)
    rows = [
        summary(f"op-{number:05}", approvers=("eve",), expires_at=now + timedelta(minutes=1))
        for number in range(APPROVED)
    ]
    # The last one to expire is the only one that waits for her.
    rows.append(summary("op-99999", expires_at=now + timedelta(hours=2)))
    limit = asyncio.Semaphore(16)

    async def write(row: Summary) -> None:
        async with limit:
            await index.rewrite([row])

    await asyncio.gather(*map(write, rows))
    asked: list[Any] = []
    query = tables._query

    def counted(*args: Any, **more: Any) -> Any:
        asked.append(more)
        return query(*args, **more)

    monkeypatch.setattr(tables, "_query", counted)
    # In proportion: a hundred at first, a thousand from then on
    monkeypatch.setattr("countersign.stores.table_index._BATCH", 3)
    monkeypatch.setattr(tables, "_MOST_AT_ONCE", 30)
    monkeypatch.setattr(TableIndex._listed_in, "__defaults__", (None, 3))
    waits = Search(
        waits_for=WaitsFor(person="eve", roles=("Report.Reviewer",), now=now), order="deadline"
    )
    page = await index.search("home", waits, limit=20)
    assert [row.operation_id for row in page.rows] == ["op-99999"]
    assert len(asked) <= 2 + APPROVED / 30
