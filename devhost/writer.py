"""The thread that writes: many commits at once, in the order in which they came."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devhost.errors import StateUnusable
from devhost.statements import Statement, connect

_LARGEST_GROUP = 500


@dataclass(frozen=True, slots=True)
class _Commit:
    statements: list[Statement]
    done: asyncio.Future[None]


class Writer:
    """Commits what is submitted; a group that waits together shares one transaction.

    Args:
        path: The state file.
        failed: Called on the loop with the reason once writing has become impossible.
    """

    def __init__(self, path: Path, failed: Callable[[str], None]) -> None:
        self._connection = connect(path)
        self._failed = failed
        self._queue: queue.SimpleQueue[_Commit | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, statements: Iterable[Statement]) -> asyncio.Future[None]:
        """Queue `statements` as one unit; the future ends once they are committed.

        A failure is told to `failed`, and the future is cancelled: without its state the host
        has nothing left to do but to stop.
        """
        commit = _Commit(list(statements), self._loop.create_future())
        self._queue.put(commit)
        return commit.done

    async def close(self) -> None:
        """Write what is queued and end."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        self._connection.close()

    def _run(self) -> None:
        while group := self._next_group():
            try:
                self._write(group)
            except sqlite3.Error as error:
                reason = str(StateUnusable(f"the state can't be written: {error}"))
                self._loop.call_soon_threadsafe(self._give_up, group, reason)
                return
            self._loop.call_soon_threadsafe(_resolve, group)

    def _next_group(self) -> list[_Commit]:
        group: list[_Commit] = []
        commit = self._queue.get()
        while commit is not None:
            group.append(commit)
            if len(group) == _LARGEST_GROUP or self._queue.empty():
                return group
            commit = self._queue.get_nowait()
        # The end was asked for: write this group, then find the mark again.
        if group:
            self._queue.put(None)
        return group

    def _write(self, group: list[_Commit]) -> None:
        try:
            self._transact(group)
        except UnicodeEncodeError:
            self._connection.execute("ROLLBACK")
            self._transact(_writable(group))

    def _transact(self, group: list[_Commit]) -> None:
        execute = self._connection.execute
        execute("BEGIN")
        for commit in group:
            for sql, parameters in commit.statements:
                execute(sql, parameters)
        execute("COMMIT")

    def _give_up(self, group: list[_Commit], reason: str) -> None:
        for commit in group:
            commit.done.cancel()
        self._failed(reason)


def _writable(group: list[_Commit]) -> list[_Commit]:
    # Half a surrogate pair in a text of the app is all that SQLite refuses to store.
    return [
        _Commit(
            [(sql, tuple(map(_text, values))) for sql, values in commit.statements], commit.done
        )
        for commit in group
    ]


def _text(value: Any) -> Any:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _resolve(group: list[_Commit]) -> None:
    for commit in group:
        if not commit.done.done():
            commit.done.set_result(None)
