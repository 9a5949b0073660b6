"""One process at a time: whoever comes later waits, also for one that was ended in the middle."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


class TurnMissed(Exception):
    """Others were at it all the time."""


@contextmanager
def its_turn(file: Path, seconds: float) -> Iterator[None]:
    """Hold a lock beside a file, which the system lets go of when the process ends.

    SQLite's own lock does that on every system.

    Args:
        file: What is worked on; the lock has its name with `-turn` at the end.
        seconds: How long to wait.

    Raises:
        TurnMissed: It did not come in time.
        sqlite3.OperationalError: The lock can't be made.
    """
    lock = file.with_name(f"{file.name}-turn")
    with closing(sqlite3.connect(lock, timeout=seconds, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            # Which of its errors this is, SQLite tells Python 3.10 in words alone.
            if "locked" in str(error):
                raise TurnMissed from error
            raise
        yield
