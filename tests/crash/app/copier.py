"""A machine of which a backup is made at every tenth effect, while it goes on."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from countersign.wiring import services
from local.backup import make_backup

EVERY = 10


class Copied:
    """Processes that live, and whose stores are copied.

    Args:
        folder: Where each backup gets a folder, named by the number of the effect.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._effects = itertools.count(1)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """What is done in here is not waited for."""
        yield

    async def may_die(self, place: str) -> None:
        """Make a backup if it is time; whatever else is under way goes on meanwhile."""
        number = next(self._effects)
        if number % EVERY == 0:
            copy = self._folder / f"{number:04}"
            lost = await asyncio.to_thread(make_backup, services().settings, copy)
            assert not lost, lost
