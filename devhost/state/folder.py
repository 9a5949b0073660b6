"""The data folder: where everything that outlives the process is kept, for one host at a time."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from devhost.errors import StateUnusable
from devhost.file_lock import Taken, holding
from devhost.private import make_private


class DataFolder:
    """The folder given as `--data`.

    Args:
        path: The folder; it is created if it is missing, and is its user's alone.

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
            make_private(self.path)
            own.mkdir(exist_ok=True)
        except OSError as error:
            raise StateUnusable(f"the data folder can't be made: {error}") from error
        if not os.access(own, os.W_OK):
            raise StateUnusable(f"the data folder {self.path} can't be written to")
        self.state = own / "state.db"
        self.clock = own / "clock.txt"
        self._lock_file = own / "lock.db"
        self._held = ExitStack()

    def lock(self) -> None:
        """Keep other hosts out until this process ends, however it ends.

        Raises:
            StateUnusable: Another host has the folder, or it can't be locked.
        """
        try:
            self._held.enter_context(holding(self._lock_file))
        except Taken as taken:
            raise StateUnusable(
                f"another devhost uses the data folder {self.path}: {taken.holder}, or name another"
                " folder with --data"
            ) from taken
        except OSError as error:
            raise StateUnusable(f"the data folder can't be locked: {error}") from error

    def unlock(self) -> None:
        """Let another host have the folder."""
        self._held.close()
