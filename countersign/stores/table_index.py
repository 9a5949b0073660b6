"""The index in an Azure table; every list is a range of sorted keys, none is a scan."""

from __future__ import annotations

import heapq
import json
import uuid
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any

from countersign.platform.backoff import give_way
from countersign.stores.account import StorageAccount
from countersign.stores.cursor import NEWEST, Position, from_cursor
from countersign.stores.errors import StoreError, StoreUnavailable
from countersign.stores.index import (
    Announcement,
    Key,
    Page,
    Stalled,
    overdue_from,
    unpurged_since,
)
from countersign.stores.pages import (
    LAST_ID,
    by_age,
    by_deadline,
    from_text,
    micros,
    page_of,
    to_text,
)
from countersign.stores.summary import Summary
from countersign.stores.table_keys import key_of, moment_key, newest_first, soonest_first
from countersign.stores.tables import Change, Entity, Table, pieces, whole

_ANNOUNCEMENTS = "announcements"
_TENANTS = "tenants"
_BATCH = 100
_MOST_TRIES = 12


class TableIndex:
    """An `Index` in the table `index` of a storage account.

    A tenant is a partition. It holds each row once under the operation's id, and copies of it
    under the keys of the lists that it is in, all changed in one transaction. Announcements are a
    partition of their own, and so are the names of the tenants. Every method raises `StoreError`
    or `StoreUnavailable` if the account can't be used.
    """

    def __init__(self, account: StorageAccount) -> None:
        self._table = Table(account, "index")
        self._listed: set[str] = set()

    async def announce(self, tenant: str, operation_id: str, at: datetime) -> str:
        """Note that an operation is about to change; returns the announcement's token."""
        token = f"{moment_key(micros(at))}:{uuid.uuid4().hex}"
        values = {"tenant": tenant, "operation_id": operation_id}
        await self._table.put(_ANNOUNCEMENTS, Entity(token, values))
        return token

    async def put(self, summary: Summary, announced: str) -> None:
        """Write a row unless a newer one (by sequence) is there; end that announcement."""
        await self._list_tenant(summary.tenant)
        for tries in range(_MOST_TRIES):
            if await self._put(summary):
                return await self.retract(announced)
            await give_way(tries)
        raise StoreUnavailable(f"the row of {summary.operation_id} is changed all the time")

    async def retract(self, announced: str) -> None:
        """End an announcement whose change did not happen."""
        await self._table.delete(_ANNOUNCEMENTS, announced)

    async def get(self, tenant: str, operation_id: str) -> Summary | None:
        """The row of an operation, None if there is none in this tenant."""
        found = await self._table.get(_partition(tenant), _row_key(operation_id))
        return _summary(found[0]) if found else None

    async def page(self, tenant: str, *, state: str | None, limit: int, cursor: str | None) -> Page:
        """The tenant's operations, newest first, of one state if given.

        Raises:
            BadCursor: the cursor is not one of ours.
        """
        after = newest_first(from_cursor(cursor) if cursor is not None else NEWEST)
        of = key_of("age") if state is None else key_of("state", state)
        rows = await self._first(limit + 1, tenant, of, after)
        return page_of(rows, limit, by_age)

    async def inbox(
        self,
        tenant: str,
        *,
        roles: Collection[str],
        person: str,
        now: datetime,
        limit: int,
        cursor: str | None = None,
    ) -> Page:
        """What waits for a decision by this person, the nearest deadline first.

        Raises:
            BadCursor: the cursor is not one of ours.
        """
        passed = Position(micros(now), LAST_ID)
        after = soonest_first(max(passed, from_cursor(cursor)) if cursor is not None else passed)
        found: list[Summary] = []
        for role in roles:
            found += await self._first(limit + 1, tenant, key_of("inbox", role), after, person)
        return page_of(sorted(found, key=by_deadline), limit, by_deadline)

    async def announced_before(self, moment: datetime) -> AsyncIterator[Announcement]:
        """All announcements from before this moment (UTC), the oldest first."""
        before = moment_key(micros(moment))
        async for key, values in self._table.walk(_ANNOUNCEMENTS, before=before, batch=_BATCH):
            tenant, operation_id = values["tenant"], values["operation_id"]
            yield Announcement(token=key, tenant=tenant, operation_id=operation_id)

    async def stalled(self, since: datetime, *, after: str | None = None) -> AsyncIterator[Stalled]:
        """All operations that should have moved on since this moment (UTC), the longest first."""
        async for entity in self._walk_all("overdue", since, after):
            # The rest of a row may be damaged: what it stands for must be seen to all the same.
            yield Stalled(entity.values["tenant"], entity.values["operation_id"], entity.key)

    async def unpurged(self, since: datetime) -> AsyncIterator[Key]:
        """All operations closed and unchanged since this moment (UTC), the longest first."""
        async for _, values in self._walk_all("unpurged", since):
            yield Key(values["tenant"], values["operation_id"])

    async def purged(self, tenant: str, operation_id: str, since: datetime) -> None:
        """Note that nothing of an operation is left to purge, unless it changed after `since`."""
        for tries in range(_MOST_TRIES):
            if await self._purged(_partition(tenant), _row_key(operation_id), since):
                return
            await give_way(tries)
        raise StoreUnavailable(f"the row of {operation_id} is changed all the time")

    async def _walk_all(
        self, of: str, since: datetime, after: str | None = None
    ) -> AsyncIterator[Entity]:
        """What a list that is sorted by moments holds up to this one, in every tenant."""
        before = f"{of}:{moment_key(micros(since))};"
        tenants = [values["tenant"] async for _, values in self._table.walk(_TENANTS, batch=_BATCH)]
        walks = [
            self._table.walk(_partition(tenant), after or f"{of}:", before, batch=_BATCH)
            for tenant in tenants
        ]
        async for entity in _merged(walks):
            yield entity

    async def _first(
        self, limit: int, tenant: str, of: str, after: str, person: str | None = None
    ) -> list[Summary]:
        """The first rows of a list that this person neither asked for nor approved."""
        found: list[Summary] = []
        walk = self._table.walk(
            _partition(tenant), f"{of}:{after}", f"{of};", batch=limit, asker=person
        )
        async with aclosing(walk):
            async for entity in walk:
                summary = _summary(entity)
                if person not in summary.approvers:
                    found.append(summary)
                if len(found) == limit:
                    break
        return found

    async def _put(self, summary: Summary) -> bool:
        """Whether the row, or a newer one, is there now; False if another writer came between."""
        partition, key = _partition(summary.tenant), _row_key(summary.operation_id)
        found = await self._table.get(partition, key)
        there, tag = found if found else (Entity(key, {}), None)
        if there.values.get("sequence", 0) > summary.sequence:
            return True
        copies = _copies(summary)
        row = {**_values(summary), "sequence": summary.sequence, "copies": json.dumps([*copies])}
        gone = _copied(there) - copies.keys()
        changes = [Change("replace" if tag else "create", key, row, tag)]
        changes += [Change("put", *copy) for copy in copies.items()]
        changes += [Change("delete", old) for old in gone]
        return await self._table.submit(partition, changes)

    async def _purged(self, partition: str, key: str, since: datetime) -> bool:
        """Whether the row is on no list of what to purge now; False if another writer came."""
        found = await self._table.get(partition, key)
        if found is None:
            return True
        row, tag = found
        before = f"unpurged:{moment_key(micros(since))};"
        gone = {copy for copy in _copied(row) if copy.startswith("unpurged:") and copy < before}
        if not gone:
            return True
        values = {**row.values, "copies": json.dumps(sorted(_copied(row) - gone))}
        changes = [Change("replace", key, values, tag)]
        changes += [Change("delete", old) for old in gone]
        return await self._table.submit(partition, changes)

    async def _list_tenant(self, tenant: str) -> None:
        if tenant not in self._listed:
            await self._table.put(_TENANTS, Entity(key_of("tenant", tenant), {"tenant": tenant}))
            self._listed.add(tenant)


def _partition(tenant: str) -> str:
    return key_of("tenant", tenant)


def _row_key(operation_id: str) -> str:
    return key_of("operation", operation_id)


def _copies(summary: Summary) -> Mapping[str, Mapping[str, Any]]:
    """What is kept of a row for the lists that it is in, by key."""
    age = newest_first(by_age(summary))
    keys = [f"{key_of('age')}:{age}", f"{key_of('state', summary.state)}:{age}"]
    if summary.state == "awaiting_approval":
        deadline = soonest_first(by_deadline(summary))
        keys.append(f"{key_of('inbox', summary.required_role or '')}:{deadline}")
    if overdue := overdue_from(summary):
        keys.append(f"overdue:{soonest_first(Position(micros(overdue), summary.operation_id))}")
    if closed := unpurged_since(summary):
        keys.append(f"unpurged:{soonest_first(Position(micros(closed), summary.operation_id))}")
    return dict.fromkeys(keys, _values(summary))


def _copied(row: Entity) -> set[str]:
    """The keys of the copies of a row that is there.

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


def _summary(entity: Entity) -> Summary:
    return from_text(whole("summary", entity.values))


async def _merged(walks: Sequence[AsyncIterator[Entity]]) -> AsyncIterator[Entity]:
    """The entities of several walks, by key; each walk is read only as far as its turn comes."""
    heads: list[tuple[str, int, Entity]] = []
    for number, walk in enumerate(walks):
        await _push(heads, number, walk)
    while heads:
        _, number, entity = heapq.heappop(heads)
        yield entity
        await _push(heads, number, walks[number])


async def _push(
    heads: list[tuple[str, int, Entity]], number: int, walk: AsyncIterator[Entity]
) -> None:
    entity = await anext(walk, None)
    if entity is not None:
        heapq.heappush(heads, (entity.key, number, entity))
