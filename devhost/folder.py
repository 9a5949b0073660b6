"""The data folder: where everything that outlives the process is kept, for one host at a time."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from devhost.errors import StateUnusable


class DataFolder:
    """The folder given as `--data`.

    Args:
        path: The folder; it is created if it is missing.

    Attributes:
        path: The folder that everything is kept in.
        state: The file with all orchestrations.
        clock: The file with the time of a virtual clock.

    Raises:
        StateUnusable: It can't be created, or written to.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        own = self.path / "devhost"
        try:
            own.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StateUnusable(f"the data folder can't be made: {error}") from error
        if not os.access(own, os.W_OK):
            raise StateUnusable(f"the data folder {self.path} can't be written to")
        self.state = own / "state.db"
        self.clock = own / "clock.txt"
        self._lock_file = own / "lock.db"

    def lock(self) -> None:
        """Keep other hosts out until this process ends, however it ends.

        Raises:
            StateUnusable: Another host has the folder.
        """
        # SQLite takes the system's file locks, which die with the process, on every platform.
        self._lock = sqlite3.connect(self._lock_file, timeout=0, isolation_level=None)
        try:
            self._lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._lock.close()
            raise StateUnusable(f"another devhost uses the data folder {self.path}") from error

    def unlock(self) -> None:
        """Let another host have the folder."""
        self._lock.close()
