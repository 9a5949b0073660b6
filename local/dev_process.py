"""End with `dev.py`, also where no command can take the place of the one that began it."""

from __future__ import annotations

import os
import sys
import threading

# Set by `dev.py` where it stays beside its command: on Windows.
_SETTING = "COUNTERSIGN_DEV_PROCESS"


def end_with_dev() -> None:
    """Have this process end when `dev.py` does; what this one has started ends by itself then."""
    pid = os.environ.pop(_SETTING, "")
    if pid:
        threading.Thread(target=_end_after, args=[int(pid)], daemon=True).start()


def _end_after(pid: int) -> None:
    if sys.platform == "win32":
        import _winapi

        process = _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, pid)
        _winapi.WaitForSingleObject(process, _winapi.INFINITE)
        os._exit(1)
