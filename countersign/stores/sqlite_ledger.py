"""The ledger in SQLite: the first writer takes the next sequence, the other gets a conflict."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from countersign.approvals.errors import Conflict
from countersign.approvals.events import Event
from countersign.approvals.ledger import Row, chain
from countersign.stores.records import Record, record_of, row_of
from countersign.stores.sqlite import Database

_READ = """SELECT sequence, type, data, hash FROM ledger
    WHERE tenant = ? AND operation_id = ? ORDER BY sequence"""
_READ_LAST = _READ + " DESC LIMIT 1"
_INSERT = """INSERT INTO ledger (tenant, operation_id, sequence, type, data, hash)
    VALUES (?, ?, ?, ?, ?, ?)"""


class SqliteLedger:
    """A `Ledger` in a SQLite file, which it may share with a `SqliteIndex`.

    Besides what the port names, both methods raise `DamagedRow` for a row that is not readable
    and `StoreUnavailable` if the file can't be used.
    """

    def __init__(self, file: Path) -> None:
        self._database = Database(file)

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        """All rows of an operation in order; an empty list if there is none in this tenant."""
        return await self._database.read(lambda file: _read(file, tenant, operation_id))

    async def append(
        self, tenant: str, operation_id: str, expected_sequence: int, events: Sequence[Event]
    ) -> list[Row]:
        """Insert rows `expected_sequence + 1, …`, all or none, and durably before returning.

        Raises:
            Conflict: the operation does not have exactly `expected_sequence` rows (any more).
        """
        return await self._database.write(
            lambda file: _append(file, tenant, operation_id, expected_sequence, events)
        )


def _read(file: sqlite3.Connection, tenant: str, operation_id: str) -> list[Row]:
    records = file.execute(_READ, (tenant, operation_id))
    return [row_of(Record(*record)) for record in records]


def _append(
    file: sqlite3.Connection,
    tenant: str,
    operation_id: str,
    expected_sequence: int,
    events: Sequence[Event],
) -> list[Row]:
    record = file.execute(_READ_LAST, (tenant, operation_id)).fetchone()
    last = row_of(Record(*record)) if record else None
    sequence = last.sequence if last else 0
    if sequence != expected_sequence:
        raise Conflict(f"{operation_id} has {sequence} rows, not {expected_sequence}")
    rows = chain(tenant, operation_id, last, events)
    values = [(tenant, operation_id, *record_of(row)) for row in rows]
    file.executemany(_INSERT, values)
    return rows
