"""The kept connections of a process to one SQLite file: one that writes, two that read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Protocol, TypeAlias, TypeVar

T = TypeVar("T")
_Identity: TypeAlias = tuple[int, int]

_LOGS = ("-wal", "-shm")
"""How the names of the files end that SQLite keeps beside one that is open."""


class Connect(Protocol):
    """Opens a file, which is made if need be and brought up to date."""

    def __call__(self, file: Path, *, waits: bool) -> sqlite3.Connection:
        """Open it; `waits` says whether the connection waits for others that lock the file."""
        ...


class NotNow(Exception):
    """What was asked can't be done at once."""


class _Stale(sqlite3.DatabaseError):
    """The file has changed in a way that a connection has to be made anew for."""


class Connections:
    """Kept connections; they are made where they are needed, and closed with this.

    Args:
        file: where the file is.
        connect: opens it.
        version: what its schema has to be.
    """

    def __init__(self, file: Path, connect: Connect, version: int) -> None:
        patient = partial(connect, file, waits=True)
        self._writing = _KeptConnection(file, patient, version)
        self._reading = _KeptConnection(file, patient, version)
        # A full disk has no room for what SQLite needs to open a file, but reads one that is open.
        self._quick = _KeptConnection(file, partial(connect, file, waits=False), version)

    def at_once(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run a query without waiting for anything.

        Raises:
            NotNow: the file isn't open, or is locked, or somebody else is at the connection.
        """
        quick = self._quick
        if not quick.lock.acquire(blocking=False):
            raise NotNow
        try:
            if quick.is_open:
                return quick.transact("BEGIN", query)
        except sqlite3.Error as error:
            raise NotNow from error
        finally:
            quick.lock.release()
        raise NotNow

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run a query on one state of the file.

        Raises:
            sqlite3.Error, OSError: the file can't be used.
        """
        result = self._transact(self._reading, "BEGIN", query)
        # What was read is right, also where there is no file handle left for another connection.
        with self._quick.lock, suppress(sqlite3.Error, OSError):
            self._quick.open()
        return result

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do work as the only writer; durable on return, all or nothing.

        Raises:
            sqlite3.Error, OSError: the file can't be used, or others kept it busy for too long.
        """
        return self._transact(self._writing, "BEGIN IMMEDIATE", work)

    def _transact(
        self, kept: _KeptConnection, begin: str, work: Callable[[sqlite3.Connection], T]
    ) -> T:
        self._leave_what_was_replaced()
        with kept.lock:
            try:
                return kept.transact(begin, work)
            except _Stale:
                return kept.transact(begin, work)

    def _leave_what_was_replaced(self) -> None:
        connections = (self._writing, self._reading, self._quick)
        if any(each.is_elsewhere for each in connections):
            for each in connections:
                with each.lock:
                    each.leave()


class _KeptConnection:
    """A connection that is made at its first use, and anew after a fault.

    Args:
        file: where the file is.
        connect: opens it and makes sure of its schema.
        version: what the schema has to be in each transaction.

    Attributes:
        lock: held by whoever uses the connection.
    """

    def __init__(self, file: Path, connect: Callable[[], sqlite3.Connection], version: int) -> None:
        self.lock = Lock()
        self._file = file
        self._connect = connect
        self._version = version
        self._connection: sqlite3.Connection | None = None
        self._opened: Mapping[str, _Identity | None] = {}

    def __del__(self) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        """Whether the connection is there, and leads to the file that is there now."""
        return self._connection is not None and not self.is_elsewhere

    @property
    def is_elsewhere(self) -> bool:
        """Whether the connection leads to a file that has been replaced or deleted since."""
        return self._connection is not None and self._opened[""] != _identity(self._file)

    def open(self) -> None:
        """Make the connection if there is none.

        Raises:
            sqlite3.Error, OSError: the file can't be used.
        """
        if self._connection is None:
            self._connection = self._connect()
            self._opened = {end: _identity(self._beside(end)) for end in ("", *_LOGS)}

    def transact(self, begin: str, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do work in a transaction, which is rolled back if the work raises.

        Raises:
            _Stale: the schema is another one than it was; nothing was done.
            sqlite3.Error, OSError: the file can't be used.
        """
        self.open()
        connection = self._connection
        assert connection is not None  # noqa: S101 - it was opened just now
        try:
            connection.execute(begin)
            self._expect_version(connection)
            result = work(connection)
            connection.execute("COMMIT")
        except (sqlite3.Error, OSError):
            # Closing is SQLite's roll-back, and the next connection has no part in the fault.
            self.close()
            raise
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return result

    def _expect_version(self, connection: sqlite3.Connection) -> None:
        if version_of(connection) != self._version:
            raise _Stale("the schema has changed")

    def close(self) -> None:
        """Close the connection, if there is one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def leave(self) -> None:
        """Close the connection to a file that is elsewhere, and delete what it has left behind.

        SQLite leaves the log in the folder then, and would read another file of this name with it.
        Other processes may have left already, and may have logs there that belong to the new file.
        """
        self.close()
        for end in _LOGS:
            if self._opened.get(end) == _identity(beside := self._beside(end)):
                beside.unlink(missing_ok=True)

    def _beside(self, end: str) -> Path:
        return self._file.with_name(f"{self._file.name}{end}")


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of the schema in a file."""
    return connection.execute("PRAGMA user_version").fetchone()[0]


def _identity(file: Path) -> _Identity | None:
    """Return what identifies the file at this path; None if there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
