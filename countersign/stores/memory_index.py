"""The index in memory, beside the other stores of `memory`."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime

from countersign.stores.cursor import from_cursor
from countersign.stores.index import (
    Announcement,
    Key,
    Page,
    Stalled,
    overdue_from,
    unpurged_since,
)
from countersign.stores.pages import ORDERINGS, micros, page_of
from countersign.stores.search import Search
from countersign.stores.summary import Summary


class MemoryIndex:
    """`Index` in memory."""

    def __init__(self) -> None:
        self._rows: dict[Key, Summary] = {}
        self._purged: dict[Key, datetime | None] = {}
        self._announced: dict[str, tuple[datetime, Announcement]] = {}

    async def announce(self, tenant: str, operation_id: str, at: datetime) -> str:
        """Note that an operation is about to change; returns the announcement's token."""
        token = uuid.uuid4().hex
        place = f"{micros(at):020}:{token}"
        change = Announcement(token=token, tenant=tenant, operation_id=operation_id, position=place)
        self._announced[token] = (at, change)
        return token

    async def put(self, summary: Summary, announced: str) -> None:
        """Write a row unless a newer one (by sequence) is there; end that announcement."""
        self._put(summary)
        await self.retract(announced)

    def _put(self, summary: Summary) -> bool:
        """Whether a row that was missing or another one is written."""
        key = Key(summary.tenant, summary.operation_id)
        there = self._rows.get(key)
        if there and summary.sequence < there.sequence:
            return False
        self._rows[key] = summary
        self._purged.pop(key, None)
        return there != summary

    async def rewrite(self, summaries: Sequence[Summary]) -> int:
        """Write rows anew, but over no newer one; return how many were missing or other ones."""
        return sum(map(self._put, summaries))

    async def retract(self, announced: str) -> None:
        """End an announcement whose change did not happen."""
        self._announced.pop(announced, None)

    async def get(self, tenant: str, operation_id: str) -> Summary | None:
        """Return the row of an operation, None if there is none in this tenant."""
        return self._rows.get(Key(tenant, operation_id))

    async def search(
        self, tenant: str, search: Search, *, limit: int, cursor: str | None = None
    ) -> Page:
        """Return the tenant's operations that match, in the order that the search names.

        Raises:
            BadCursor: The cursor is not one of ours.
        """
        after = from_cursor(cursor) if cursor is not None else None
        ordering = ORDERINGS[search.order]
        rows = [row for row in self._rows.values() if row.tenant == tenant and search.matches(row)]
        found = [row for row in rows if after is None or ordering.comes_after(row, after)]
        return page_of(ordering.sorted(found)[: limit + 1], limit, ordering)

    async def count(self, tenant: str, search: Search) -> int:
        """Return how many of the tenant's operations match."""
        rows = self._rows.values()
        return sum(row.tenant == tenant and search.matches(row) for row in rows)

    async def announced_before(
        self, moment: datetime, *, after: str | None = None
    ) -> AsyncIterator[Announcement]:
        """Yield all announcements from before this moment (UTC), the oldest first."""
        for at, change in sorted(self._announced.values(), key=lambda each: each[1].position):
            if at < moment and (after is None or change.position > after):
                yield change

    async def stalled(self, since: datetime, *, after: str | None = None) -> AsyncIterator[Stalled]:
        """Yield all that should have moved on since this moment (UTC), the longest first."""
        behind = json.loads(after) if after else None
        for due, key in self._since(overdue_from, since):
            position = [due, *key]
            if behind is None or position > behind:
                yield Stalled(*key, json.dumps(position))

    async def unpurged(self, since: datetime) -> AsyncIterator[Key]:
        """Yield all closed and unchanged since this moment (UTC), the longest first."""
        for _, key in self._since(self._unpurged_since, since):
            yield key

    async def purged(
        self, tenant: str, operation_id: str, since: datetime, until: datetime | None = None
    ) -> None:
        """Note that nothing of an operation is left to purge, unless it changed after `since`."""
        key = Key(tenant, operation_id)
        row = self._rows.get(key)
        closed = self._unpurged_since(row) if row else None
        if closed is not None and closed <= since:
            self._purged[key] = until

    def _unpurged_since(self, row: Summary) -> datetime | None:
        key = Key(row.tenant, row.operation_id)
        return self._purged[key] if key in self._purged else unpurged_since(row)

    def _since(
        self, moment_of: Callable[[Summary], datetime | None], since: datetime
    ) -> list[tuple[int, Key]]:
        """All rows whose moment has come, with it in microseconds, the longest ago first."""
        moments = ((moment_of(row), key) for key, row in self._rows.items())
        return sorted((micros(at), key) for at, key in moments if at is not None and at <= since)
