"""One process of this machine at a time works on an operation, and another one is told so.

Two would do no harm, since the ledger has each step once, but they would pay for work twice.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from time import monotonic

from countersign.graph.errors import TurnTaken
from countersign.graph.private_folder import make_private
from countersign.platform.file_lock import LockTaken, file_lock

LOOK_SECONDS = 0.05
"""Between two looks whether another process has ended its turn."""

_LOCK, _OWNER = "running.db", "running.txt"


@asynccontextmanager
async def turn_within(patience: float, folder: Path, operation_id: str) -> AsyncIterator[None]:
    """Hold an operation as `turn` does, and wait for another process before that.

    Args:
        patience: seconds to wait; whatever else this process does goes on meanwhile.
        folder: the operation's, which is made if it is missing.
        operation_id: the operation.

    Raises:
        TurnTaken: another process still works on it then.
        OSError: the folder can't be used.
    """
    last = monotonic() + patience
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(turn(folder, operation_id))
                break
            except TurnTaken:
                if monotonic() > last:
                    raise
            await asyncio.sleep(LOOK_SECONDS)
        yield


@contextmanager
def turn(folder: Path, operation_id: str) -> Iterator[None]:
    """Hold an operation until the block, or this process, ends.

    Args:
        folder: the operation's, which is made if it is missing.
        operation_id: the operation.

    Raises:
        TurnTaken: another process works on it.
        OSError: the folder can't be used.
    """
    make_private(folder)
    with ExitStack() as held:
        try:
            held.enter_context(file_lock(folder / _LOCK))
        except LockTaken as error:
            raise TurnTaken(
                f"{_owner(folder)} is working on {operation_id}; wait for it, then continue with:"
                f" resume {operation_id}"
            ) from error
        except sqlite3.OperationalError as error:
            raise OSError(f"{folder / _LOCK} cannot be used: {error}") from error
        (folder / _OWNER).write_text(f"{os.getpid()}\n", "ascii")
        yield


def _owner(folder: Path) -> str:
    try:
        return f"process {int((folder / _OWNER).read_text('ascii'))}"
    except (OSError, ValueError):
        return "another process"
