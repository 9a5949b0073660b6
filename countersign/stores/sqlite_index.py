"""The index in SQLite; every list is answered from an index of the table, none by a scan."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from countersign.stores.cursor import from_cursor
from countersign.stores.index import (
    Announcement,
    Key,
    Page,
    Stalled,
)
from countersign.stores.pages import (
    ORDERINGS,
    from_text,
    micros,
    page_of,
)
from countersign.stores.search import Search
from countersign.stores.sqlite import Database
from countersign.stores.sqlite_row import announce, put_row, retract
from countersign.stores.sqlite_search import SqlQuery, count_query, page_query, parts_of
from countersign.stores.summary import Summary

_GET = "SELECT summary FROM operations WHERE tenant = ? AND operation_id = ?"
_STALLED = """SELECT tenant, operation_id, overdue_from, rowid FROM operations
    WHERE overdue_from <= ? AND (overdue_from, rowid) > (?, ?)
    ORDER BY overdue_from, rowid LIMIT ?"""
_UNPURGED = """SELECT tenant, operation_id, unpurged_since, rowid FROM operations
    WHERE unpurged_since <= ? AND (unpurged_since, rowid) > (?, ?)
    ORDER BY unpurged_since, rowid LIMIT ?"""
_PURGED = """UPDATE operations SET unpurged_since = ?
    WHERE tenant = ? AND operation_id = ? AND unpurged_since <= ?"""
_ANNOUNCED = """SELECT token, tenant, operation_id, at, rowid FROM announcements
    WHERE at < ? AND (at, rowid) > (?, ?) ORDER BY at, rowid LIMIT ?"""

_FIRST = (-1, -1)
"""Ahead of all rows of a walk."""

_BATCH = 100
"""Rows that a walk through a whole list reads at a time, so that it blocks no writer."""


class SqliteIndex:
    """An `Index` in a SQLite file, which it may share with a `SqliteLedger`.

    Every method raises `StoreUnavailable` if the file can't be used.
    """

    def __init__(self, file: Path) -> None:
        self._database = Database(file)

    async def announce(self, tenant: str, operation_id: str, at: datetime) -> str:
        """Note that an operation is about to change; returns the announcement's token."""
        token = uuid.uuid4().hex
        await self._database.write(
            lambda file: announce(file, token, tenant, operation_id, micros(at))
        )
        return token

    async def put(self, summary: Summary, announced: str) -> None:
        """Write a row unless a newer one (by sequence) is there; end that announcement."""
        await self._database.write(lambda file: _put(file, summary, announced))

    async def rewrite(self, summaries: Sequence[Summary]) -> int:
        """Write rows anew, but over no newer one; returns how many were missing or other ones."""
        return await self._database.write(
            lambda file: sum(put_row(file, each, anew=True) for each in summaries)
        )

    async def retract(self, announced: str) -> None:
        """End an announcement whose change did not happen."""
        await self._database.write(lambda file: retract(file, announced))

    async def get(self, tenant: str, operation_id: str) -> Summary | None:
        """Return the row of an operation, None if there is none in this tenant."""
        values = (tenant, operation_id)
        rows = await self._database.look_up(partial(_select, query=_GET, values=values))
        return rows[0] if rows else None

    async def search(
        self, tenant: str, search: Search, *, limit: int, cursor: str | None = None
    ) -> Page:
        """Return the tenant's operations that match, in the order that the search names.

        Raises:
            BadCursor: the cursor is not one of ours.
        """
        after = from_cursor(cursor) if cursor is not None else None
        ordering = ORDERINGS[search.order]
        found: list[Summary] = []
        for each in parts_of(search):
            found += await self._select(*page_query(tenant, each, after, limit + 1))
        return page_of(ordering.sorted(found), limit, ordering)

    async def count(self, tenant: str, search: Search) -> int:
        """How many of the tenant's operations match."""
        queries = [count_query(tenant, each) for each in parts_of(search)]
        return await self._database.read(lambda file: sum(_number(file, each) for each in queries))

    async def announced_before(
        self, moment: datetime, *, after: str | None = None
    ) -> AsyncIterator[Announcement]:
        """All announcements from before this moment (UTC), the oldest first."""
        walk = self._walk(_ANNOUNCED, moment, _behind(after))
        async for token, tenant, operation_id, at, row in walk:
            yield Announcement(
                token=token, tenant=tenant, operation_id=operation_id, position=f"{at}:{row}"
            )

    async def stalled(self, since: datetime, *, after: str | None = None) -> AsyncIterator[Stalled]:
        """All operations that should have moved on since this moment (UTC), the longest first."""
        async for tenant, operation_id, due, row in self._walk(_STALLED, since, _behind(after)):
            yield Stalled(tenant, operation_id, f"{due}:{row}")

    async def unpurged(self, since: datetime) -> AsyncIterator[Key]:
        """All operations closed and unchanged since this moment (UTC), the longest first."""
        async for tenant, operation_id, *_ in self._walk(_UNPURGED, since):
            yield Key(tenant, operation_id)

    async def purged(
        self, tenant: str, operation_id: str, since: datetime, until: datetime | None = None
    ) -> None:
        """Note that nothing of an operation is left to purge, unless it changed after `since`."""
        values = (micros(until) if until else None, tenant, operation_id, micros(since))
        await self._database.write(lambda file: _execute(file, _PURGED, values))

    async def _walk(
        self, query: str, moment: datetime, after: Sequence[int] = _FIRST
    ) -> AsyncIterator[Sequence[Any]]:
        """All rows up to a moment; the last two columns say where the next batch begins."""
        batch: list[Any] = [None] * _BATCH
        while len(batch) == _BATCH:
            values = (micros(moment), *after, _BATCH)
            batch = await self._database.read(partial(_fetch, query=query, values=values))
            for row in batch:
                yield row
            after = batch[-1][-2:] if batch else after

    async def _select(self, query: str, values: Sequence[Any]) -> list[Summary]:
        return await self._database.read(lambda file: _select(file, query, values))


def _behind(position: str | None) -> Sequence[int]:
    return tuple(map(int, position.split(":"))) if position else _FIRST


def _put(file: sqlite3.Connection, summary: Summary, announced: str) -> None:
    put_row(file, summary)
    retract(file, announced)


def _execute(file: sqlite3.Connection, statement: str, values: Sequence[Any]) -> None:
    file.execute(statement, values)


def _number(file: sqlite3.Connection, query: SqlQuery) -> int:
    return file.execute(*query).fetchone()[0]


def _fetch(file: sqlite3.Connection, query: str, values: Sequence[Any]) -> list[Any]:
    return file.execute(query, values).fetchall()


def _select(file: sqlite3.Connection, query: str, values: Sequence[Any]) -> list[Summary]:
    return [from_text(text) for (text,) in _fetch(file, query, values)]
