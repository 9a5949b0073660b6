"""What the host tells on the terminal: a line for each request and each instance's step."""

from __future__ import annotations

import contextlib

from devhost.plain import plain
from devhost.time.clock import Clock, stamp


class Console:
    """Writes lines that begin with the time.

    Args:
        verbose: Whether details are wanted too: calls, timers and messages.
    """

    def __init__(self, clock: Clock, *, verbose: bool = False) -> None:
        self._clock = clock
        self.verbose = verbose

    def line(self, text: str) -> None:
        """Write one line to the standard output."""
        # A terminal that is gone, or can't show a character, must not end the work.
        with contextlib.suppress(OSError, ValueError):
            print(f"{stamp(self._clock.now())[:23]}Z {plain(text)}", flush=True)

    def detail(self, text: str) -> None:
        """Write one line if details are wanted."""
        if self.verbose:
            self.line(text)
