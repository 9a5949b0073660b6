"""The connections of a process to one SQLite file: one that writes, and two that read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from countersign.stores.sqlite_connection import KeptConnection, Stale

T = TypeVar("T")


class Connect(Protocol):
    """Opens a file, which is made if need be and brought up to date."""

    def __call__(self, file: Path, *, waits: bool) -> sqlite3.Connection:
        """Open it; `waits` says whether the connection waits for others that lock the file."""
        ...


class NotNow(Exception):
    """What was asked can't be done at once."""


class Connections:
    """Kept connections; they are made where they are needed, and closed with this.

    Args:
        file: where the file is.
        connect: opens it.
        version: what its schema has to be.
    """

    def __init__(self, file: Path, connect: Connect, version: int) -> None:
        patient = partial(connect, file, waits=True)
        self._writing = KeptConnection(file, patient, version)
        self._reading = KeptConnection(file, patient, version)
        # A full disk has no room for what SQLite needs to open a file, but reads one that is open.
        self._quick = KeptConnection(file, partial(connect, file, waits=False), version)

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
        with self._quick.lock:
            self._quick.open()
        return result

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do work as the only writer; durable on return, all or nothing.

        Raises:
            sqlite3.Error, OSError: the file can't be used, or others kept it busy for too long.
        """
        return self._transact(self._writing, "BEGIN IMMEDIATE", work)

    def _transact(
        self, kept: KeptConnection, begin: str, work: Callable[[sqlite3.Connection], T]
    ) -> T:
        self._leave_what_was_replaced()
        with kept.lock:
            try:
                return kept.transact(begin, work)
            except Stale:
                return kept.transact(begin, work)

    def _leave_what_was_replaced(self) -> None:
        connections = (self._writing, self._reading, self._quick)
        if any(each.is_elsewhere for each in connections):
            for each in connections:
                with each.lock:
                    each.leave()
