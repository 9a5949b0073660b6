"""Keep other processes out for a while, on every system and however a process ends."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path


class Taken(Exception):
    """Another process has the lock.

    Attributes:
        holder: Which one, and how to end it in bash and in PowerShell.
    """

    def __init__(self, path: Path, pid: int | None) -> None:
        self.holder = (
            f"process {pid}; end it with `kill {pid}` (PowerShell: `Stop-Process -Id {pid}`)"
            if pid
            else "a process that has only just started"
        )
        super().__init__(f"{path} is held by {self.holder}")


@contextlib.contextmanager
def holding(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock whose file this is; its folder is made if it is missing.

    Args:
        path: The file, which stays. The id of the process that has the lock is beside it.
        patience: Seconds that another process may take to let go of it.

    Raises:
        Taken: Another process did not.
        OSError: The file can't be made or written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    owner = path.with_suffix(".pid")
    with contextlib.closing(_connect(path, patience)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise OSError(f"{path}: {error}") from error
            raise Taken(path, _pid_in(owner)) from error
        owner.write_text(f"{os.getpid()}\n", "ascii")
        yield


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    # SQLite takes the system's file locks, which die with the process, on every platform.
    try:
        return sqlite3.connect(
            path, timeout=patience, isolation_level=None, check_same_thread=False
        )
    except sqlite3.OperationalError as error:
        raise OSError(f"{path}: {error}") from error


def _pid_in(owner: Path) -> int | None:
    try:
        return int(owner.read_text("ascii"))
    except (OSError, ValueError):
        return None
