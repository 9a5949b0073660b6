"""The environment of the peer, which this repository has no other use for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from local.settings import APP

_PINNED = Path(__file__).parent / "rival" / "requirements.txt"
_FOLDER = APP / ".rival"


class NotInstalled(Exception):
    """The peer can't be measured; the message says why."""


def python(*, install: bool) -> Path:
    """Return the interpreter of the environment.

    Args:
        install: whether to make and fill it if need be.

    Raises:
        NotInstalled: it isn't there, or a package could not be had.
    """
    found = _FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, wanted = _FOLDER / "installed.txt", _PINNED.read_text("utf-8")
    if stamp.exists() and stamp.read_text("utf-8") == wanted:
        return found
    if not install:
        raise NotInstalled("only the whole bench installs it")
    _run(sys.executable, "-m", "venv", "--clear", str(_FOLDER))
    _run(str(found), "-m", "pip", "install", "-q", "-r", str(_PINNED))
    stamp.write_text(wanted, "utf-8")
    return found


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"{command[0]} ended with {done.returncode}"]
        raise NotInstalled(said[-1])
