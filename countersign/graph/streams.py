"""Standard output and error, whoever reads them, and if nobody does."""

from __future__ import annotations

import io
import os
import sys


def take_anything() -> None:
    """Let both streams take every text, also one that was closed by whoever started this."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper):
            # A pipe may have a code page's few characters, on Windows: others go by number.
            stream.reconfigure(errors="backslashreplace")


def hang_up() -> None:
    """Drop what is left to print: its reader has gone, and Python would try again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
