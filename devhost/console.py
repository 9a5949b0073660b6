"""What the host tells on the terminal: a line for each request and each instance's step."""

from __future__ import annotations

import contextlib

from devhost.clock import Clock, stamp


class Console:
    """Writes lines that begin with the time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def line(self, text: str) -> None:
        """Write one line to the standard output."""
        # A terminal that is gone, or can't show a character, must not end the work.
        with contextlib.suppress(OSError, ValueError):
            print(f"{stamp(self._clock.now())[:23]}Z {text}", flush=True)
