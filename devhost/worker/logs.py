"""What the app logs, as the terminal shows it. Runs in the worker process."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path

from devhost.plain import plain

running: ContextVar[str] = ContextVar("running", default="")
"""The name of the function that runs."""

_PACKAGES = {"site-packages", "dist-packages"}
_LEVELS = {
    "trace": logging.DEBUG,
    "debug": logging.DEBUG,
    "information": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "none": logging.CRITICAL + 1,
}


class PlainLines(logging.Formatter):
    """Writes out the controls that a record has from somebody else: a path, a name, a header."""

    def format(self, record: logging.LogRecord) -> str:
        """Return what is shown of a record."""
        return plain(super().format(record))


def show_logs(app: Path, *, everything: bool, levels: Mapping[str, str]) -> None:
    """Show the log on the standard error.

    Args:
        app: The app's folder. What is logged in it shows from INFO on, and that of libraries from
            WARNING on: theirs would bury the app's own.
        everything: Whether all is wanted, from DEBUG on.
        levels: The `logging.logLevel` of host.json, which goes before that; of libraries nothing
            below WARNING shows even so.
    """
    known = {name.lower(): _LEVELS.get(level.lower()) for name, level in levels.items()}
    chosen = {name: level for name, level in known.items() if level is not None}
    handler = logging.StreamHandler()
    handler.setFormatter(PlainLines("%(levelname)s %(name)s: %(message)s"))
    if not everything:
        root = f"{app}{os.sep}"
        handler.addFilter(lambda record: record.levelno >= _least(record, root, chosen))
    least = logging.DEBUG if everything else min([logging.INFO, *chosen.values()])
    logging.basicConfig(level=least, handlers=[handler])


def _least(record: logging.LogRecord, root: str, levels: Mapping[str, int]) -> int:
    """Return from which level on a record shows."""
    function = running.get()
    # The host takes what is logged during a call for the function's, whoever logs it.
    category = f"Function.{function}.User" if function else record.name
    begins = [name for name in levels if category.lower().startswith(name)]
    level = levels.get(max(begins, key=len) if begins else "default")
    # A virtual environment often lies within the app's folder.
    own = record.pathname.startswith(root)
    if own and _PACKAGES.isdisjoint(Path(record.pathname).parts):
        return logging.INFO if level is None else level
    return max(logging.WARNING, level or 0)
