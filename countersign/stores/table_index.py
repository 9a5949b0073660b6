"""The index in an Azure table; every list is a range of sorted keys, none is a scan."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from countersign.platform.backoff import give_way
from countersign.platform.recent import Recent
from countersign.stores.account import StorageAccount
from countersign.stores.cursor import Position, from_cursor
from countersign.stores.errors import StoreError, StoreUnavailable
from countersign.stores.index import (
    Announcement,
    Key,
    Page,
    Stalled,
    overdue_from,
    unpurged_since,
)
from countersign.stores.pages import ORDERINGS, from_text, micros, page_of, to_text
from countersign.stores.search import Search, words_of
from countersign.stores.summary import Summary
from countersign.stores.table_keys import key_of, moment_key, soonest_first
from countersign.stores.table_lists import TableList, list_keys, lists_of
from countersign.stores.tables import Change, Entity, Table, merged, pieces, whole

_ANNOUNCEMENTS = "announcements"
_ANNOUNCED = "announced"
_BETWEEN = "/"
"""Between partition and key in the token of an announcement; it can be in neither."""

_TENANTS = "tenants"
_BATCH = 100
_MOST_COUNTED = 5_000
_COUNTED_AT_ONCE = 1_000
"""Rows of one answer of the service, which has no more in one."""
_MOST_TRIES = 12
_MOST_WRITTEN = 1000


class _Written(NamedTuple):
    """A row as it is there: how new, under which keys it is found besides, and its tag if any."""

    sequence: int
    copies: frozenset[str]
    tag: str | None


_NOT_THERE = _Written(0, frozenset(), None)


class TableIndex:
    """An `Index` in the table `index` of a storage account.

    A tenant is a partition. It holds each row once under the operation's id, and copies of it
    under the keys of the lists that it is in, all changed in one transaction, which also ends the
    announcement of the change. The names of the tenants are a partition of their own, and so are
    the announcements of older releases. Every method raises `StoreError` or `StoreUnavailable` if
    the account can't be used.
    """

    def __init__(self, account: StorageAccount) -> None:
        self._table = Table(account, "index")
        self._listed: set[str] = set()
        # A row that was written from here is mostly written from here again.
        self._written: Recent[tuple[str, str], _Written] = Recent(_MOST_WRITTEN)

    async def announce(self, tenant: str, operation_id: str, at: datetime) -> str:
        """Note that an operation is about to change; returns the announcement's token."""
        await self._list_tenant(tenant)
        partition = _partition(tenant)
        key = f"{_ANNOUNCED}:{moment_key(micros(at))}:{uuid.uuid4().hex}"
        values = {"tenant": tenant, "operation_id": operation_id}
        await self._table.put(partition, Entity(key, values))
        return f"{partition}{_BETWEEN}{key}"

    async def put(self, summary: Summary, announced: str) -> None:
        """Write a row unless a newer one (by sequence) is there; end that announcement."""
        await self._list_tenant(summary.tenant)
        partition, _, key = announced.rpartition(_BETWEEN)
        ending = key if partition == _partition(summary.tenant) else None
        for tries in range(_MOST_TRIES):
            # Where there is only a beginning, nobody else has written the row yet.
            made = await self._put(summary, ending, first=tries == 0 and summary.sequence == 1)
            if made is not None:
                return None if made and ending else await self.retract(announced)
            # Somebody else may have ended the announcement.
            ending = None
            await give_way(tries)
        raise StoreUnavailable(f"the row of {summary.operation_id} is changed all the time")

    async def rewrite(self, summaries: Sequence[Summary]) -> int:
        """Write rows anew, but over no newer one; returns how many were missing or other ones."""
        self._listed.clear()
        for tenant in {each.tenant for each in summaries}:
            await self._list_tenant(tenant)
        return sum(await asyncio.gather(*map(self._rewrite, summaries)))

    async def retract(self, announced: str) -> None:
        """End an announcement whose change did not happen."""
        partition, _, key = announced.rpartition(_BETWEEN)
        await self._table.delete(partition or _ANNOUNCEMENTS, key)

    async def get(self, tenant: str, operation_id: str) -> Summary | None:
        """Return the row of an operation, None if there is none in this tenant."""
        found = await self._table.get(_partition(tenant), _row_key(operation_id))
        return _summary(found[0]) if found else None

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
        for each in lists_of(search):
            found += await self._first(limit + 1, tenant, each, after)
        return page_of(ordering.sorted(found), limit, ordering)

    async def count(self, tenant: str, search: Search) -> int | None:
        """Return how many of the tenant's operations match; None if too many to read."""
        read, matching = 0, 0
        for each in lists_of(search):
            async with aclosing(self._listed_in(tenant, each, batch=_COUNTED_AT_ONCE)) as rows:
                async for row in rows:
                    read += 1
                    matching += each.shows(row)
                    if read > _MOST_COUNTED:
                        return None
        return matching

    async def announced_before(
        self, moment: datetime, *, after: str | None = None
    ) -> AsyncIterator[Announcement]:
        """All announcements from before this moment (UTC), the oldest first.

        Those of older releases, whose keys name no list, come before all others.
        """
        before, older = moment_key(micros(moment)), after
        if after and after.startswith(f"{_ANNOUNCED}:"):
            older = before
        else:
            after = None
        walk = self._table.walk(_ANNOUNCEMENTS, older or "", before, batch=_BATCH)
        async for key, values in walk:
            yield _announcement(key, key, values)
        just_before = moment - timedelta(microseconds=1)
        async for key, values in self._walk_all(_ANNOUNCED, just_before, after):
            token = f"{_partition(values['tenant'])}{_BETWEEN}{key}"
            yield _announcement(token, key, values)

    async def stalled(self, since: datetime, *, after: str | None = None) -> AsyncIterator[Stalled]:
        """All operations that should have moved on since this moment (UTC), the longest first."""
        async for entity in self._walk_all("overdue", since, after):
            # The rest of a row may be damaged: what it stands for must be seen to all the same.
            yield Stalled(entity.values["tenant"], entity.values["operation_id"], entity.key)

    async def unpurged(self, since: datetime) -> AsyncIterator[Key]:
        """All operations closed and unchanged since this moment (UTC), the longest first."""
        async for _, values in self._walk_all("unpurged", since):
            yield Key(values["tenant"], values["operation_id"])

    async def purged(
        self, tenant: str, operation_id: str, since: datetime, until: datetime | None = None
    ) -> None:
        """Note that nothing of an operation is left to purge, unless it changed after `since`."""
        for tries in range(_MOST_TRIES):
            if await self._purged(_partition(tenant), operation_id, since, until):
                return
            await give_way(tries)
        raise StoreUnavailable(f"the row of {operation_id} is changed all the time")

    async def _walk_all(
        self, of: str, since: datetime, after: str | None = None
    ) -> AsyncIterator[Entity]:
        """Yield the entries up to this moment of a list sorted by moment, in every tenant."""
        before = f"{of}:{moment_key(micros(since))};"
        tenants = [values["tenant"] async for _, values in self._table.walk(_TENANTS, batch=_BATCH)]
        walks = [
            self._table.walk(_partition(tenant), after or f"{of}:", before, batch=_BATCH)
            for tenant in tenants
        ]
        async for entity in merged(walks):
            yield entity

    async def _first(
        self, limit: int, tenant: str, listed: TableList, after: Position | None
    ) -> list[Summary]:
        """Return the first rows that match and follow on a position."""
        ordering = ORDERINGS[listed.search.order]
        found: list[Summary] = []
        async with aclosing(self._listed_in(tenant, listed, after)) as rows:
            async for row in rows:
                if listed.shows(row) and (after is None or ordering.comes_after(row, after)):
                    found.append(row)
                if listed.is_in_order and len(found) == limit:
                    break
        return ordering.sorted(found)[:limit]

    async def _listed_in(
        self,
        tenant: str,
        listed: TableList,
        after: Position | None = None,
        batch: int = _BATCH,
    ) -> AsyncGenerator[Summary, None]:
        """All rows of a list; where it has the order of the search, those after a position."""
        if listed.search.words:
            for operation_id in await self._having(tenant, listed.search.words):
                if row := await self.get(tenant, operation_id):
                    yield row
            return
        start, end = listed.range(after)
        walk = self._table.walk(_partition(tenant), start, end, batch=batch)
        async with aclosing(walk):
            async for entity in walk:
                yield _summary(entity)

    async def _having(self, tenant: str, words: Sequence[str]) -> set[str]:
        """Return the ids of the operations that have a word that begins with each of these."""
        found: list[set[str]] = []
        for word in words:
            start = key_of("word", word)
            walk = self._table.walk(_partition(tenant), start, f"{start}~", batch=_BATCH)
            found.append({entity.values["operation_id"] async for entity in walk})
        return set.intersection(*found)

    async def _put(
        self, summary: Summary, ending: str | None, *, anew: bool = False, first: bool = False
    ) -> bool | None:
        """Whether the row was written, and an announcement ended with it.

        Args:
            summary: the row.
            ending: the key of the announcement, if one ends.
            anew: whether words of it can be missing that the row there says it has.
            first: whether there is probably no row of the operation yet.

        Returns:
            False if a newer row is there; None if another writer came between.
        """
        place = _partition(summary.tenant), _row_key(summary.operation_id)
        there = self._written.get(place)
        if there is None:
            there = _NOT_THERE if first else await self._there(*place)
        if there.sequence > summary.sequence:
            return False
        copies, words = _copies(summary), _words(summary)
        kept = frozenset([*copies, *words])
        row = {
            **_values(summary),
            "sequence": summary.sequence,
            "copies": json.dumps([*copies, *words]),
        }
        gone = [*(there.copies - kept), *([ending] if ending else [])]
        changes = [Change("replace" if there.tag else "create", place[1], row, there.tag)]
        changes += [Change("put", *copy) for copy in copies.items()]
        known = frozenset() if anew else there.copies
        changes += [Change("put", *word) for word in words.items() if word[0] not in known]
        changes += [Change("delete", old) for old in gone]
        tags = await self._table.submit(place[0], changes)
        if tags is None:
            self._written.forget(place)
            return None
        self._written.put(place, _Written(summary.sequence, kept, tags[0]))
        return True

    async def _rewrite(self, summary: Summary) -> bool:
        """Whether a row that was missing or another one is written, with all that leads to it."""
        place = _partition(summary.tenant), _row_key(summary.operation_id)
        found = await self._table.get(*place)
        for tries in range(_MOST_TRIES):
            # What is kept here says less than what is there.
            self._written.forget(place)
            if (made := await self._put(summary, None, anew=True)) is not None:
                same = found and whole("summary", found[0].values) == to_text(summary)
                return made and not same
            await give_way(tries)
        raise StoreUnavailable(f"the row of {summary.operation_id} is changed all the time")

    async def _there(self, partition: str, key: str) -> _Written:
        found = await self._table.get(partition, key)
        if found is None:
            return _NOT_THERE
        row, tag = found
        return _Written(row.values.get("sequence", 0), frozenset(_copied(row)), tag)

    async def _purged(
        self, partition: str, operation_id: str, since: datetime, until: datetime | None
    ) -> bool:
        """Return whether the row is now on no list of rows to purge; False after a conflict."""
        key = _row_key(operation_id)
        found = await self._table.get(partition, key)
        if found is None:
            return True
        row, tag = found
        before = f"unpurged:{moment_key(micros(since))};"
        gone = {copy for copy in _copied(row) if copy.startswith("unpurged:") and copy < before}
        if not gone:
            return True
        later = [_unpurged_key(operation_id, until)] if until else []
        copies = sorted((_copied(row) - gone).union(later))
        changes = [Change("replace", key, {**row.values, "copies": json.dumps(copies)}, tag)]
        changes += [Change("put", copy, _copy_of(row)) for copy in later]
        changes += [Change("delete", old) for old in gone]
        self._written.forget((partition, key))
        return await self._table.submit(partition, changes) is not None

    async def _list_tenant(self, tenant: str) -> None:
        if tenant not in self._listed:
            await self._table.put(_TENANTS, Entity(key_of("tenant", tenant), {"tenant": tenant}))
            self._listed.add(tenant)


def _partition(tenant: str) -> str:
    return key_of("tenant", tenant)


def _row_key(operation_id: str) -> str:
    return key_of("operation", operation_id)


def _copies(summary: Summary) -> Mapping[str, Mapping[str, Any]]:
    """Return the copies of a row that its lists keep, by key."""
    keys = list_keys(summary)
    if overdue := overdue_from(summary):
        keys.append(f"overdue:{soonest_first(Position(micros(overdue), summary.operation_id))}")
    if closed := unpurged_since(summary):
        keys.append(_unpurged_key(summary.operation_id, closed))
    return dict.fromkeys(keys, _values(summary))


def _unpurged_key(operation_id: str, since: datetime) -> str:
    return f"unpurged:{soonest_first(Position(micros(since), operation_id))}"


def _copy_of(row: Entity) -> Mapping[str, Any]:
    """Return what a copy has of the row that is there."""
    own = {"PartitionKey", "RowKey", "sequence", "copies"}
    return {name: value for name, value in row.values.items() if name not in own}


def _words(summary: Summary) -> Mapping[str, Mapping[str, Any]]:
    """Return the entries that lead from words to a row, by key; they seldom change."""
    values = {"operation_id": summary.operation_id}
    keys = (key_of("word", word, summary.operation_id) for word in words_of(summary))
    return dict.fromkeys(keys, values)


def _copied(row: Entity) -> set[str]:
    """Return the keys of the copies of a row that is there.

    Raises:
        StoreError: they can't be read, and without them old copies would stay in lists for ever.
    """
    try:
        return set(json.loads(row.values.get("copies", "[]")))
    except (ValueError, TypeError) as error:
        raise StoreError("a row of the index can't be read") from error


def _values(summary: Summary) -> Mapping[str, Any]:
    return {
        "tenant": summary.tenant,
        "operation_id": summary.operation_id,
        "requester_id": summary.requester_id,
        **pieces("summary", to_text(summary)),
    }


def _announcement(token: str, position: str, values: Mapping[str, Any]) -> Announcement:
    return Announcement(
        token=token,
        tenant=values["tenant"],
        operation_id=values["operation_id"],
        position=position,
    )


def _summary(entity: Entity) -> Summary:
    return from_text(whole("summary", entity.values))
