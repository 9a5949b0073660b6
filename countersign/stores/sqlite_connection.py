"""One connection to a SQLite file, kept open for as long as the file is the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import TypeAlias, TypeVar

T = TypeVar("T")
_Identity: TypeAlias = tuple[int, int]

_LOGS = ("-wal", "-shm")
"""How the names of the files end that SQLite keeps beside one that is open."""


class Stale(sqlite3.DatabaseError):
    """The file has changed in a way that a connection has to be made anew for."""


class KeptConnection:
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
            Stale: the schema is another one than it was; nothing was done.
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
            raise Stale("the schema has changed")

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
    """The version of the schema in a file."""
    return connection.execute("PRAGMA user_version").fetchone()[0]


def _identity(file: Path) -> _Identity | None:
    """What tells a file from another one in its place; None if there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
