"""One worker process, seen from the host: it is called, watched, and ended."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

from devhost.app.calls import Answer, Call
from devhost.app.connection import Connection
from devhost.errors import CallLost, MemoryExceeded, WorkerEnded
from devhost.functions.catalogue import Catalogue

# A worker ends with its connection, unless code that isn't Python's keeps it from noticing.
_LAST_SECONDS = 2.0
# A process can take in about a gigabyte a second.
_LOOK_SECONDS = 0.1


class WorkerProcess:
    """A process that has imported the app.

    Args:
        catalogue: The functions that it has found.
        memory: The most bytes that it may have resident; enforced on Linux only.

    Attributes:
        catalogue: The functions that it has found.
        ended: Done once it takes no calls any more.
        overdue: Done, with a sentence, once a call has taken longer than it may.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        connection: Connection,
        catalogue: Catalogue,
        memory: float,
    ) -> None:
        self.catalogue = catalogue
        self._process = process
        self._connection = connection
        self.ended = asyncio.create_task(connection.listen())
        self.overdue = connection.overdue
        self._guarding = asyncio.create_task(self._guard(memory))
        self._fate = ""

    @property
    def alive(self) -> bool:
        """Whether it takes calls."""
        return not self.ended.done()

    @property
    def fate(self) -> str:
        """Why it ended, as a sentence."""
        return self._fate or f"the worker process ended ({self._process.returncode})"

    async def call(self, call: Call) -> Answer:
        """Call a function and return its answer; raises CallLost if there will be none."""
        return await self._connection.call(call)

    async def see_off(self, grace: float) -> None:
        """End it once its calls have ended, but after `grace` seconds in any case."""
        await self._connection.drain(grace)
        await self.end()

    async def end(self) -> None:
        """End it now; its calls raise `WorkerEnded`."""
        self._guarding.cancel()
        if self.alive:
            self._connection.close(WorkerEnded)
        try:
            await asyncio.to_thread(self._process.wait, _LAST_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
        await self.ended

    async def _guard(self, memory: float) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            if resident_bytes(self._process.pid) > memory:
                self._kill(partial(MemoryExceeded, memory))

    def _kill(self, loss: Callable[[], CallLost]) -> None:
        self._fate = str(loss())
        self._connection.close(loss)
        self._process.kill()


def resident_bytes(pid: int) -> int:
    """Return how much memory a process has resident; 0 where the system has no /proc to tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
