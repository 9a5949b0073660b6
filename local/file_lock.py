"""Keep other processes out for a while, on every system and however a process ends."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path


class Taken(Exception):
    """Another process has the lock."""


@contextlib.contextmanager
def holding(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock whose file this is; its folder is made if it is missing.

    Args:
        path: The file, which stays.
        patience: Seconds that another process may take to let go of it.

    Raises:
        Taken: Another process did not.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # SQLite takes the system's file locks, which die with the process, on every platform.
    lock = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    with contextlib.closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise Taken(str(path)) from error
        yield
