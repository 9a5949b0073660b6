"""Keep other processes of this machine out for a while, however a process ends."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


class LockTaken(Exception):
    """Another process held the lock all the time."""


@contextmanager
def file_lock(file: Path, seconds: float = 0.0) -> Iterator[None]:
    """Hold a lock until the block, or this process, ends.

    Args:
        file: The lock's file, which stays; its folder must be there.
        seconds: How long to wait for another process.

    Raises:
        LockTaken: Another process did not let go of it in time.
        sqlite3.OperationalError: The file can't be used.
    """
    # SQLite takes the system's file locks, which die with the process, on every platform.
    with closing(sqlite3.connect(file, timeout=seconds, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            # Which of its errors this is, SQLite tells Python 3.10 in words alone.
            if "locked" in str(error):
                raise LockTaken from error
            raise
        yield
