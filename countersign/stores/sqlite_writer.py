"""The one writer of a SQLite file: what comes while it writes shares its next transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any, TypeAlias

FileChange: TypeAlias = Callable[[sqlite3.Connection], Any]
Transact: TypeAlias = Callable[[FileChange], Any]
"""Does work in a transaction as the only writer: durable on return, all or nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class _Wanted:
    change: FileChange
    done: Future[Any] = field(default_factory=Future)


class FileWriter:
    """Makes changes on a thread of its own, many in one transaction with one sync (group commit).

    Each change has its own outcome: what one raises takes back that one alone.

    Args:
        transact: see `Transact`. What it raises itself is about the file.
    """

    def __init__(self, transact: Transact) -> None:
        self._transact = transact
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writes")
        self._lock = Lock()
        self._wanted: list[_Wanted] = []

    def submit(self, change: FileChange) -> Future[Any]:
        """Queue a change; the future has its result as soon as that is durable."""
        wanted = _Wanted(change)
        with self._lock:
            self._wanted.append(wanted)
            if len(self._wanted) == 1:
                self._thread.submit(self._write)
        return wanted.done

    def _write(self) -> None:
        with self._lock:
            group, self._wanted = self._wanted, []
        self._make([wanted for wanted in group if wanted.done.set_running_or_notify_cancel()])

    def _make(self, group: Sequence[_Wanted]) -> None:
        """Make changes together, or each alone where one of them cost all their transaction."""
        begun = False

        def make_all(connection: sqlite3.Connection) -> list[Callable[[], None]]:
            nonlocal begun
            begun = True
            return [_made(wanted, connection) for wanted in group]

        try:
            told = self._transact(make_all) if group else ()
        except BaseException as error:  # noqa: BLE001 - whoever waits has to hear of it
            for wanted in group:
                if begun and len(group) > 1:
                    self._make([wanted])
                else:
                    wanted.done.set_exception(error)
        else:
            for tell in told:
                tell()


def _made(wanted: _Wanted, connection: sqlite3.Connection) -> Callable[[], None]:
    """Make a change; returns what tells its outcome, to be called once that is durable."""
    connection.execute("SAVEPOINT change")
    try:
        result = wanted.change(connection)
    except Exception as error:
        # After some faults, such as a full disk, SQLite has taken the whole transaction back.
        if not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO change")
        connection.execute("RELEASE change")
        return partial(wanted.done.set_exception, error)
    connection.execute("RELEASE change")
    return partial(wanted.done.set_result, result)
