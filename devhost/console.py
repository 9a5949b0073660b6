"""What the host tells on the terminal: a line for each request and each instance's step."""

from __future__ import annotations

import sys
from collections.abc import Callable

from devhost.clock import Clock, stamp


class Console:
    """Writes lines that begin with the time.

    Args:
        clock: The host's clock.
        verbose: Whether `detail` is written too.
        write: Where the text goes.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        verbose: bool = False,
        write: Callable[[str], object] = sys.stdout.write,
    ) -> None:
        self._clock = clock
        self._verbose = verbose
        self._write = write

    def line(self, text: str) -> None:
        """Write one line."""
        self._write(f"{stamp(self._clock.now())[:23]}Z {text}\n")
        if self._write == sys.stdout.write:
            sys.stdout.flush()

    def detail(self, text: str) -> None:
        """Write one line if the host is verbose."""
        if self._verbose:
            self.line(text)
