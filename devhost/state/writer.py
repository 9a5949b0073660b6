"""What writes the state: many commits at once, in the order in which they came."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devhost.errors import StateUnusable
from devhost.state.statements import Statement, connect

SECONDS_BETWEEN_TRIES = 1.0
"""How long to wait before a full disk is tried again."""

_NO_ROOM = "database or disk is full"
"""SQLite's words for SQLITE_FULL; Python has its number from 3.11 on."""


@dataclass(frozen=True, slots=True)
class _Commit:
    statements: list[Statement]
    done: asyncio.Future[None]


class Writer:
    """Commits what is submitted; what comes up at the same time shares one transaction.

    It does so in the loop's own thread. Most commits wait for no disk, and take less time than it
    takes to hand them to another thread and the news of them back.

    Args:
        path: The state file.
        failed: Called with the reason once writing has become impossible.
        full: Called once each time when the disk turns out to be full. What is to be written waits
            until there is room.

    Attributes:
        connection: Has nothing that isn't committed whenever the loop's thread reads with it.
    """

    def __init__(
        self, path: Path, failed: Callable[[str], None], full: Callable[[], None] = lambda: None
    ) -> None:
        self.connection = connect(path)
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._group: list[_Commit] = []
        self._full = full
        self._broken = self._waits = False

    def submit(self, statements: Iterable[Statement]) -> asyncio.Future[None]:
        """Queue `statements` as one unit; the future ends once they are committed.

        A failure is told to `failed`, and the future is cancelled: without its state the host
        has nothing left to do but to stop.
        """
        commit = _Commit(list(statements), self._loop.create_future())
        if not self._group:
            self._loop.call_soon(self._flush)
        self._group.append(commit)
        return commit.done

    async def close(self) -> None:
        """Write what is queued and end; what a full disk has no room for is given up."""
        self._flush()
        waiting, self._group = self._group, []
        _cancel(waiting)
        self.connection.close()

    def _flush(self) -> None:
        group, self._group = self._group, []
        if self._broken:
            _cancel(group)
        elif group:
            self._write(group)

    def _write(self, group: Sequence[_Commit]) -> None:
        try:
            self._transact(group)
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self.connection.rollback()
            if str(error) == _NO_ROOM:
                self._wait_for_room(group)
                return
            # What comes later may build on what is lost, so nothing is written any more.
            self._broken = True
            _cancel(group)
            self._failed(str(StateUnusable(f"the state can't be written: {error}")))
        else:
            self._waits = False
            for commit in group:
                if not commit.done.done():
                    commit.done.set_result(None)

    def _wait_for_room(self, group: Sequence[_Commit]) -> None:
        if not self._waits:
            self._full()
        self._waits = True
        # Whatever is submitted meanwhile comes after it.
        self._group = [*group, *self._group]
        self._loop.call_later(SECONDS_BETWEEN_TRIES, self._flush)

    def _transact(self, group: Sequence[_Commit]) -> None:
        statements = [statement for commit in group for statement in commit.statements]
        try:
            self._execute(statements)
        except UnicodeEncodeError:
            self.connection.execute("ROLLBACK")
            self._execute(map(_writable, statements))

    def _execute(self, statements: Iterable[Statement]) -> None:
        execute = self.connection.execute
        execute("BEGIN")
        for sql, parameters in statements:
            execute(sql, parameters)
        execute("COMMIT")


def _writable(statement: Statement) -> Statement:
    # Half a surrogate pair in a text of the app is all that SQLite refuses to store.
    sql, values = statement
    return sql, tuple(map(_text, values))


def _text(value: Any) -> Any:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _cancel(group: Iterable[_Commit]) -> None:
    for commit in group:
        commit.done.cancel()
