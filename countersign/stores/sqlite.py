"""The SQLite file of ledger and index where no Azure storage is set up, and the ledger in it."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeVar
from weakref import WeakValueDictionary

from countersign.approvals.errors import Conflict
from countersign.approvals.ledger import Entry, Record, Row, chain, record_of, row_of, without
from countersign.stores.errors import StoreUnavailable
from countersign.stores.sqlite_connections import Connections, NotNow, version_of
from countersign.stores.sqlite_names import operations_of, tenants_of
from countersign.stores.sqlite_row import show
from countersign.stores.sqlite_writer import FileWriter
from countersign.stores.summary import Summary
from countersign.stores.whole_file import make_folder

T = TypeVar("T")

BUSY_SECONDS = 30.0
"""How long a call waits for another process that is writing."""

_FIRST = (
    """CREATE TABLE ledger (
        tenant TEXT NOT NULL, operation_id TEXT NOT NULL, sequence INTEGER NOT NULL,
        type TEXT NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL,
        PRIMARY KEY (tenant, operation_id, sequence)) WITHOUT ROWID""",
    """CREATE TRIGGER no_update BEFORE UPDATE ON ledger
        BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END""",
    """CREATE TRIGGER no_delete BEFORE DELETE ON ledger
        BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END""",
    """CREATE TABLE operations (
        tenant TEXT NOT NULL, operation_id TEXT NOT NULL, sequence INTEGER NOT NULL,
        state TEXT NOT NULL, created_at INTEGER NOT NULL, requester_id TEXT NOT NULL,
        required_role TEXT, expires_at INTEGER, overdue_from INTEGER, summary TEXT NOT NULL,
        PRIMARY KEY (tenant, operation_id))""",
    "CREATE INDEX by_age ON operations (tenant, created_at, operation_id)",
    "CREATE INDEX by_state ON operations (tenant, state, created_at, operation_id)",
    """CREATE INDEX waiting ON operations (tenant, required_role, expires_at, operation_id)
        WHERE state = 'awaiting_approval'""",
    "CREATE INDEX moving ON operations (overdue_from) WHERE overdue_from IS NOT NULL",
    """CREATE TABLE announcements (
        token TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL, operation_id TEXT NOT NULL,
        at INTEGER NOT NULL)""",
    "CREATE INDEX by_time ON announcements (at)",
)
_PURGING = (
    "ALTER TABLE operations ADD COLUMN unpurged_since INTEGER",
    # When one was closed its row doesn't tell in a way that SQL can read; its ledger does.
    """UPDATE operations SET unpurged_since = created_at
        WHERE CASE WHEN json_valid(summary) THEN json_extract(summary, '$.stage') = 'closed' END""",
    """CREATE INDEX unpurged ON operations (unpurged_since)
        WHERE unpurged_since IS NOT NULL""",
)
_ALLOWANCES = (
    """CREATE TABLE allowances (
        tenant TEXT NOT NULL, person TEXT NOT NULL, state TEXT NOT NULL,
        PRIMARY KEY (tenant, person)) WITHOUT ROWID""",
)
_SEARCH = (
    "ALTER TABLE operations ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE operations ADD COLUMN amount INTEGER NOT NULL DEFAULT -1",
    "ALTER TABLE operations ADD COLUMN decided_at INTEGER NOT NULL DEFAULT -1",
    "ALTER TABLE operations ADD COLUMN approvals_needed INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE operations ADD COLUMN words TEXT NOT NULL DEFAULT ''",
    # The largest integer that there is: nobody waits.
    """UPDATE operations SET expires_at = 9223372036854775807
        WHERE state <> 'awaiting_approval' OR expires_at IS NULL""",
    """CREATE TABLE words (tenant TEXT NOT NULL, word TEXT NOT NULL, operation_id TEXT NOT NULL,
        PRIMARY KEY (tenant, word, operation_id)) WITHOUT ROWID""",
    """CREATE TABLE deciders (tenant TEXT NOT NULL, person TEXT NOT NULL,
        operation_id TEXT NOT NULL,
        PRIMARY KEY (tenant, person, operation_id)) WITHOUT ROWID""",
    """CREATE INDEX by_requester
        ON operations (tenant, requester_id, created_at, operation_id)""",
    "CREATE INDEX by_kind ON operations (tenant, kind, created_at, operation_id)",
    "CREATE INDEX by_deadline ON operations (tenant, expires_at, operation_id)",
    "CREATE INDEX by_amount ON operations (tenant, amount, operation_id)",
    "CREATE INDEX by_decided ON operations (tenant, decided_at, operation_id)",
    """CREATE INDEX by_state_decided
        ON operations (tenant, state, decided_at, operation_id)""",
    """CREATE INDEX by_approvals ON operations (tenant, created_at, operation_id)
        WHERE approvals_needed > 1""",
    # The ledgers tell what the new columns hold: the reconciler writes each announced row anew.
    """INSERT INTO announcements (token, tenant, operation_id, at)
        SELECT lower(hex(randomblob(16))), tenant, operation_id, 0 FROM operations""",
)
_SEVERAL_ROLES = (
    "ALTER TABLE operations ADD COLUMN other_role TEXT",
    """CREATE INDEX waiting_other ON operations (tenant, other_role, expires_at, operation_id)
        WHERE state = 'awaiting_approval' AND other_role IS NOT NULL""",
    # What waits may wait for a second role too: the reconciler writes each announced row anew.
    """INSERT INTO announcements (token, tenant, operation_id, at)
        SELECT lower(hex(randomblob(16))), tenant, operation_id, 0 FROM operations
        WHERE state = 'awaiting_approval'
        AND (tenant, operation_id) NOT IN (SELECT tenant, operation_id FROM announcements)""",
)
_ERASING = (
    "ALTER TABLE ledger ADD COLUMN openings TEXT NOT NULL DEFAULT ''",
    "DROP TRIGGER no_update",
    """CREATE TRIGGER no_update
        BEFORE UPDATE OF tenant, operation_id, sequence, type, data, hash ON ledger
        BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END""",
)
_PASSKEYS = (
    """CREATE TABLE passkeys (
        tenant TEXT NOT NULL, person TEXT NOT NULL, state TEXT NOT NULL,
        PRIMARY KEY (tenant, person)) WITHOUT ROWID""",
)
_VERSIONS = (_FIRST, _PURGING, _SEARCH, _ALLOWANCES, _SEVERAL_ROLES, _ERASING, _PASSKEYS)
"""What makes each version of the schema of the one before."""


def _connect(file: Path, *, waits: bool) -> sqlite3.Connection:
    make_folder(file.parent)
    connection = sqlite3.connect(
        file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        # FULL syncs the write-ahead log at every commit: what was answered survives a power
        # cut. fullfsync is how macOS has to be asked for that; elsewhere it means nothing.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")
        # What is erased or replaced is overwritten, and not only left free.
        connection.execute("PRAGMA secure_delete = ON")
        _prepare(connection)
        if not waits:
            connection.execute("PRAGMA busy_timeout = 0")
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    if version_of(connection) == len(_VERSIONS):
        return
    _use_write_ahead_log(connection)
    connection.execute("BEGIN IMMEDIATE")
    if (version := version_of(connection)) > len(_VERSIONS):
        raise sqlite3.DatabaseError(f"made by another release (schema {version})")
    for statement in itertools.chain.from_iterable(_VERSIONS[version:]):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(_VERSIONS)}")
    connection.execute("COMMIT")


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    # SQLite does not wait for its busy timeout when two processes switch the mode at once.
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            break
    if mode != "wal":
        raise sqlite3.DatabaseError("this file system can't hold a write-ahead log")


class _Shared:
    """What all that is done with a file in this process shares."""

    def __init__(self, file: Path) -> None:
        self.connections = Connections(file, _connect, len(_VERSIONS))
        self.writer = FileWriter(self.connections.write)


_SHARED: WeakValueDictionary[Path, _Shared] = WeakValueDictionary()
_SHARING = Lock()


def _shared(file: Path) -> _Shared:
    with _SHARING:
        return _SHARED.setdefault(file, _Shared(file))


class Database:
    """One SQLite file, made on first use and safe to share between processes.

    All that is done with a file in a process shares three connections, which are kept: one that
    writes, one that reads, and one for what takes no time to read. They are closed when nobody
    has the file any more, and made anew where another file has taken its place.

    Args:
        file: where it is, or will be with its parent folders.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._shared = _shared(file.absolute())

    async def look_up(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run a query of a few rows that are found by their keys, on one state of the file.

        It takes less time than to hand it to another thread, so it is run at once, unless the file
        isn't open yet or somebody else is at the connection.

        Raises:
            StoreUnavailable: the file can't be used.
        """
        with self._told(), suppress(NotNow):
            return self._shared.connections.at_once(query)
        return await self.read(query)

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run a query off the event loop, on one state of the file.

        Raises:
            StoreUnavailable: the file can't be used.
        """
        with self._told():
            return await asyncio.to_thread(self._shared.connections.read, query)

    async def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Make a change as the only writer; durable on return, all or nothing.

        It is made off the event loop, in one transaction with what others change at the time.

        Raises:
            StoreUnavailable: the file can't be used, or others kept it busy for too long.
        """
        with self._told():
            return await asyncio.wrap_future(self._shared.writer.submit(change))

    async def empty_log(self) -> None:
        """Have nothing left in the write-ahead log of what was overwritten, if nobody reads it."""
        with self._told():
            await asyncio.to_thread(_empty_log, self._file)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, OSError) as error:
            raise StoreUnavailable(f"{self._file}: {error}") from error


def _empty_log(file: Path) -> None:
    with closing(sqlite3.connect(file, timeout=1.0, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_READ = """SELECT sequence, type, data, hash, openings FROM ledger
    WHERE tenant = ? AND operation_id = ? ORDER BY sequence"""
_READ_LAST = _READ + " DESC LIMIT 1"
_INSERT = """INSERT INTO ledger (tenant, operation_id, sequence, type, data, hash, openings)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""
_ERASE = """UPDATE ledger SET openings = ?
    WHERE tenant = ? AND operation_id = ? AND sequence = ?"""

_NAMES_AT_ONCE = 1000


class SqliteLedger:
    """A `Ledger` in a SQLite file, which it may share with a `SqliteIndex`.

    Besides what the port names, both methods raise `DamagedRow` for a row that is not readable
    and `StoreUnavailable` if the file can't be used.
    """

    def __init__(self, file: Path) -> None:
        self._database = Database(file)

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        """All rows of an operation in order; an empty list if there is none in this tenant."""
        return await self._database.look_up(lambda file: _read(file, tenant, operation_id))

    async def append(
        self,
        tenant: str,
        operation_id: str,
        expected_sequence: int,
        events: Sequence[Entry],
        *,
        shown: Summary | None = None,
        first: Callable[[], None] | None = None,
    ) -> list[Row]:
        """Insert rows `expected_sequence + 1, …`, all or none, and durably before returning.

        Args:
            tenant: whose operation.
            operation_id: which one.
            expected_sequence: how many rows it has.
            events: what happened.
            shown: its row in the index after that, see `LedgerWithIndex`.
            first: is called in the transaction before anything is written.

        Raises:
            Conflict: the operation does not have exactly `expected_sequence` rows (any more).
        """

        def change(file: sqlite3.Connection) -> list[Row]:
            if first:
                first()
            rows = _append(file, tenant, operation_id, expected_sequence, events)
            if shown:
                show(file, shown)
            return rows

        return await self._database.write(change)

    async def operations(self, tenant: str, *, after: str | None = None) -> AsyncIterator[str]:
        """Return the ids of all operations of a tenant, behind one of them if it is named."""
        names: Sequence[str] = [""] * _NAMES_AT_ONCE
        while len(names) == _NAMES_AT_ONCE:
            walk = partial(operations_of, tenant=tenant, after=after, most=_NAMES_AT_ONCE)
            names = await self._database.read(walk)
            for each in names:
                yield each
            after = names[-1] if names else after

    async def tenants(self) -> AsyncIterator[str]:
        """All tenants that have an operation."""
        for each in await self._database.read(tenants_of):
            yield each

    async def erase(
        self, tenant: str, operation_id: str, commitments: Collection[str] | None = None
    ) -> None:
        """Erase the openings of these commitments, or of all, for good; again does no harm."""

        def change(file: sqlite3.Connection) -> None:
            for row in _read(file, tenant, operation_id):
                left = record_of(without(row, commitments)).openings
                file.execute(_ERASE, (left, tenant, operation_id, row.sequence))

        await self._database.write(change)
        await self._database.empty_log()


def _read(file: sqlite3.Connection, tenant: str, operation_id: str) -> list[Row]:
    records = file.execute(_READ, (tenant, operation_id))
    return [row_of(Record(*record)) for record in records]


def _append(
    file: sqlite3.Connection,
    tenant: str,
    operation_id: str,
    expected_sequence: int,
    events: Sequence[Entry],
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
