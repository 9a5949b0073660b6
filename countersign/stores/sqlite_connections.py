"""The kept connections of a process to one SQLite file: one that writes, two that read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

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


class _Opened(NamedTuple):
    """A connection, and which files it was made to: the file itself and its logs.

    One object, for others look whether the file is still the same while the connection is made.
    """

    connection: sqlite3.Connection
    files: Mapping[str, _Identity | None]


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
        for each in (self._writing, self._reading, self._quick):
            if each.is_elsewhere:
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
        self._opened: _Opened | None = None

    def __del__(self) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        """Whether the connection is there, and leads to the file that is there now."""
        return self._opened is not None and not self.is_elsewhere

    @property
    def is_elsewhere(self) -> bool:
        """Whether the connection leads to a file that has been replaced or deleted since."""
        opened = self._opened
        return opened is not None and opened.files[""] != _identity(self._file)

    def open(self) -> sqlite3.Connection:
        """Return the connection, which is made if there is none.

        Raises:
            sqlite3.Error, OSError: the file can't be used.
        """
        if self._opened is None:
            before = _identity(self._file)
            connection = self._connect()
            files = {end: _identity(self._beside(end)) for end in ("", *_LOGS)}
            if before not in {None, files[""]}:
                connection.close()
                raise _Stale("the file was replaced while it was opened")
            self._opened = _Opened(connection, files)
        return self._opened.connection

    def transact(self, begin: str, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do work in a transaction, which is rolled back if the work raises.

        Raises:
            _Stale: the schema is another one than it was; nothing was done.
            sqlite3.Error, OSError: the file can't be used.
        """
        connection = self.open()
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
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.connection.close()

    def leave(self) -> None:
        """Close the connection if its file is elsewhere, and delete what that has left behind.

        SQLite leaves the log in the folder then, and would read another file of this name with it.
        Other processes may have left already, and may have logs there that belong to the new file.
        """
        opened = self._opened
        if opened is None or not self.is_elsewhere:
            return
        self.close()
        for end in _LOGS:
            if opened.files[end] == _identity(beside := self._beside(end)):
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
