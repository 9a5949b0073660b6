"""The ledger in an Azure table: the first writer takes the next row, the other gets a conflict."""

from __future__ import annotations

import json
import logging
import re
import uuid
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from datetime import timedelta
from functools import partial
from typing import Any

from countersign.approvals.errors import Conflict, DamagedRow
from countersign.approvals.ledger import Entry, Record, Row, chain, record_of, row_of, without
from countersign.platform.clock import Clock, Since, utc_now
from countersign.platform.recent import Recent
from countersign.stores.account import StorageAccount
from countersign.stores.errors import StoreError, StoreUnavailable
from countersign.stores.table_keys import key_of, names_of
from countersign.stores.tables import Change, Entity, Table, pieces, whole

_log = logging.getLogger(__name__)

SENT_WITHIN = timedelta(seconds=5)
"""So long after its beginning an append may still be sent: what it records was judged before."""

_BATCH = 1000
_MOST_LAST_ROWS = 1000

# What an entity and a transaction may have at most, less what names and envelopes take of it:
# https://learn.microsoft.com/azure/storage/tables/scalability-targets
_LONGEST_DATA = 1_000_000
_MOST_ROWS = 100
_LONGEST_APPEND = 4_000_000
_ENVELOPE = 2_000
_KEYS = {"PartitionKey", "RowKey", "Timestamp"}


class TableLedger:
    """A `Ledger` in the table `ledger` of a storage account.

    An operation is a partition, and its rows are numbered by their keys, so a transaction that
    creates the next numbers is won by one writer. Besides what the port names, both methods raise
    `DamagedRow` for a row that is not readable, and `StoreError` or `StoreUnavailable` if the
    account can't be used. After `StoreUnavailable` the rows may have been appended all the same.

    Args:
        account: where the table is.
        clock: the present moment (UTC).
    """

    def __init__(self, account: StorageAccount, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._table = Table(account, "ledger")
        # What follows a row is chained to it, and whoever appends has mostly just read it.
        self._last: Recent[str, Row] = Recent(_MOST_LAST_ROWS)

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        """All rows of an operation in order; an empty list if there is none in this tenant."""
        partition = key_of(tenant, operation_id)
        rows: list[Row] = []
        async for entity in self._table.walk(partition, batch=_BATCH):
            rows.append(_row(entity, expected=len(rows) + 1))
        if rows:
            self._last.put(partition, rows[-1])
        return rows

    async def append(
        self, tenant: str, operation_id: str, expected_sequence: int, events: Sequence[Entry]
    ) -> list[Row]:
        """Insert rows `expected_sequence + 1, …`, all or none, and durably before returning.

        Raises:
            Conflict: the operation does not have exactly `expected_sequence` rows (any more).
            StoreError: they are more or larger than one transaction of the table can be.
            StoreUnavailable: also if they could not be sent within `SENT_WITHIN`. Whoever tries
                again judges by a new moment whether they may still be recorded.
        """
        in_time = partial(_see_to_time, Since(self._clock))
        partition = key_of(tenant, operation_id)
        conflict = Conflict(f"{operation_id} does not have {expected_sequence} rows")
        last = await self._row_at(partition, expected_sequence)
        if last is None and expected_sequence != 0:
            raise conflict
        rows = chain(tenant, operation_id, last, events)
        names = _unreadable(tenant, operation_id) if expected_sequence == 0 else {}
        if not await self._take(partition, expected_sequence + 1, rows, names, in_time):
            self._last.forget(partition)
            raise conflict
        if rows:
            self._last.put(partition, rows[-1])
        return rows

    async def operations(self, tenant: str, *, after: str | None = None) -> AsyncIterator[str]:
        """Return the ids of all operations of a tenant, behind one of them if it is named."""
        first = key_of(tenant, "")
        start = first if after is None else f"{key_of(tenant, after)}!"
        walk = self._table.partitions(start, _end_of(first), _key(1), batch=_BATCH)
        async for partition, entity in walk:
            if names := _names(partition, entity):
                yield names[1]

    async def tenants(self) -> AsyncIterator[str]:
        """All tenants that have an operation."""
        start = ""
        while found := await self._first_from(start):
            if names := _names(*found):
                yield names[0]
            start = _end_of(found[0])

    async def _first_from(self, start: str) -> tuple[str, Entity] | None:
        async with aclosing(self._table.partitions(start, "~", _key(1), batch=1)) as walk:
            return await anext(walk, None)

    async def erase(
        self, tenant: str, operation_id: str, commitments: Collection[str] | None = None
    ) -> None:
        """Erase the openings of these commitments, or of all, for good; again does no harm."""
        partition = key_of(tenant, operation_id)
        self._last.forget(partition)
        async for entity in self._table.walk(partition, batch=_BATCH):
            row = _row(entity, int(entity.key))
            left = without(row, commitments)
            if left != row:
                kept = {
                    name: value
                    for name, value in entity.values.items()
                    if not name.startswith("openings") and name not in _KEYS
                }
                more = _openings(record_of(left))
                await self._table.put(partition, Entity(entity.key, {**kept, **more}))

    async def _row_at(self, partition: str, sequence: int) -> Row | None:
        last = self._last.get(partition)
        if last and last.sequence == sequence:
            return last
        found = await self._get(partition, sequence)
        return _row(found, sequence) if found else None

    async def _take(
        self,
        partition: str,
        first: int,
        rows: Sequence[Row],
        names: Mapping[str, str],
        in_time: Callable[[], None],
    ) -> bool:
        """Whether the rows from `first` on are these now; without rows, whether it is free."""
        append_id = uuid.uuid4().hex
        changes = [
            Change("create", _key(row.sequence), {**_values(row, append_id), **names})
            for row in rows
        ]
        _check(changes)
        if changes and await self._table.submit(partition, changes, first=in_time):
            return True
        there = await self._get(partition, first)
        if there is None:
            return not changes
        # What is in the way may be these very rows, if the first answer was lost on its way back.
        return there.values.get("append_id") == append_id

    async def _get(self, partition: str, sequence: int) -> Entity | None:
        found = await self._table.get(partition, _key(sequence)) if sequence > 0 else None
        return found[0] if found else None


def _see_to_time(began: Since) -> None:
    """See to it that no try is sent so late that what it records may no longer stand.

    Raises:
        StoreUnavailable: this process or the service stood still for too long.
    """
    if began.passed > SENT_WITHIN:
        raise StoreUnavailable("the storage account took too long to be recorded in")


def _end_of(partition: str) -> str:
    """Return a key behind those of all operations of a tenant that has this one."""
    tenant, _, _ = partition.partition(":")
    return f"{tenant};"


def _unreadable(tenant: str, operation_id: str) -> Mapping[str, str]:
    """Return the further properties of rows whose operation has a name too long for a key."""
    readable = names_of(key_of(tenant, operation_id)) is not None
    return {} if readable else {"names": json.dumps([tenant, operation_id])}


def _names(partition: str, entity: Entity) -> Sequence[str] | None:
    """Return the tenant and the id of an operation whose first row this is."""
    if "names" in entity.values:
        return json.loads(entity.values["names"])
    names = names_of(partition)
    if names is None:
        _log.warning("nothing says whose operation %s is", partition)
    return names


def _key(sequence: int) -> str:
    return f"{sequence:010}"


def _values(row: Row, append_id: str) -> Mapping[str, Any]:
    record = record_of(row)
    more = {**pieces("data", record.data), **_openings(record)}
    return {"type": record.type, "hash": record.hash, "append_id": append_id, **more}


def _openings(record: Record) -> Mapping[str, str]:
    return pieces("openings", record.openings) if record.openings else {}


def _row(entity: Entity, expected: int) -> Row:
    """Return the row in an entity; its key has its number, `expected` is its place."""
    if not re.fullmatch("[0-9]{10}", entity.key):
        # No ledger wrote this, so there is no number but its place.
        raise DamagedRow(expected)
    type_, hash_ = (str(entity.values.get(name, "")) for name in ("type", "hash"))
    data, openings = (whole(name, entity.values) for name in ("data", "openings"))
    return row_of(Record(int(entity.key), type_, data, hash_, openings))


def _check(changes: Sequence[Change]) -> None:
    if len(changes) > _MOST_ROWS:
        raise StoreError(f"{len(changes)} rows can't be appended at once: {_MOST_ROWS} can")
    texts = [whole("data", change.values) + whole("openings", change.values) for change in changes]
    for change, text in zip(changes, texts, strict=True):
        if len(text.encode("utf-16-le")) > _LONGEST_DATA:
            raise StoreError(f"row {int(change.key)} is larger than {_LONGEST_DATA} bytes (UTF-16)")
    # A transaction is sent as JSON in which each property is a text.
    if sum(len(json.dumps(text)) + _ENVELOPE for text in texts) > _LONGEST_APPEND:
        raise StoreError(f"these rows together are larger than {_LONGEST_APPEND} bytes")
