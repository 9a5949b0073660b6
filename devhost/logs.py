"""What the app logs, as the terminal shows it. Runs in the worker process."""

from __future__ import annotations

import logging
import os
from pathlib import Path

_PACKAGES = {"site-packages", "dist-packages"}


def show_logs(app: Path, *, everything: bool) -> None:
    """Show the log on the standard error.

    Args:
        app: The app's folder. What is logged in it shows from INFO on, and that of libraries from
            WARNING on: theirs would bury the app's own.
        everything: Whether all is wanted, from DEBUG on.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    if not everything:
        root = f"{app}{os.sep}"
        handler.addFilter(lambda record: _matters(record, root))
    logging.basicConfig(level=logging.DEBUG if everything else logging.INFO, handlers=[handler])


def _matters(record: logging.LogRecord, root: str) -> bool:
    if record.levelno >= logging.WARNING:
        return True
    # A virtual environment often lies within the app's folder.
    own = record.pathname.startswith(root)
    return own and _PACKAGES.isdisjoint(Path(record.pathname).parts)
