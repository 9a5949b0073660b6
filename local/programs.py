"""Run several programs that need each other, until the first of them ends."""

from __future__ import annotations

import contextlib
import time
from typing import Protocol

from local.errors import ProgramEnded


class Program(Protocol):
    """Something that runs beside this process."""

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        ...

    def start(self) -> None:
        """Start it and return once it is ready; leave nothing behind where that fails."""
        ...

    def stop(self) -> None:
        """Let it end, and return when it has."""
        ...


class Programs(contextlib.ExitStack):
    """Programs that are stopped together, the last one first, at the end of a `with`."""

    def __init__(self) -> None:
        super().__init__()
        self._named: dict[str, Program] = {}

    def start(self, name: str, program: Program) -> None:
        """Start one more; raises what its own `start` raises."""
        program.start()
        self._named[name] = program
        self.callback(program.stop)

    def wait(self) -> None:
        """Wait for what should not happen.

        Raises:
            ProgramEnded: One of them ended by itself.
        """
        while True:
            for name, program in self._named.items():
                if not program.is_running:
                    raise ProgramEnded(name)
            time.sleep(0.1)
