"""Say how far a long work is, as it goes."""

from __future__ import annotations

import sys
import time

_SECONDS = 5.0


class Progress:
    """One line that is written over in a terminal; elsewhere a line now and then.

    Use it in a `with`, so that what is said afterwards begins on a line of its own.
    """

    def __init__(self) -> None:
        self._rewrites = sys.stderr.isatty()
        self._written = ""
        self._spoke = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._rewrites and self._written:
            print(file=sys.stderr, flush=True)

    def show(self, text: str) -> None:
        """Say how far it is; a terminal shows it at once, in place of what was said before."""
        if text == self._written:
            return
        if self._rewrites:
            print("\r" + text.ljust(len(self._written)), end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self._spoke < _SECONDS:
            return
        else:
            print(text, file=sys.stderr, flush=True)
            self._spoke = time.monotonic()
        self._written = text
