"""Run a command that dies at the n-th change to a folder, for each n, and then run it again.

In processes of their own that are copies of one, so that nothing is imported for each.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_CHANGES = {"os.rename", "os.mkdir", "os.link", "os.remove", "os.rmdir", "sqlite3.connect"}


def die_at(number: int, folder: Path) -> None:
    """Have this process killed before its change to a folder that has this number, from 0."""
    left = number

    def count(event: str, args: tuple[Any, ...]) -> None:
        nonlocal left
        if not _changes(event, args) or not _is_in(folder, args):
            return
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    sys.addaudithook(count)


def _changes(event: str, args: tuple[Any, ...]) -> bool:
    if event == "open":
        return isinstance(args[2], int) and bool(args[2] & (os.O_WRONLY | os.O_RDWR))
    return event in _CHANGES


def _is_in(folder: Path, args: tuple[Any, ...]) -> bool:
    return any(isinstance(each, (str, Path)) and str(folder) in str(each) for each in args)


def in_a_copy(work: Callable[[], int]) -> int:
    """Run something in a copy of this process; returns its exit code, or less than 0 if killed."""
    copy = os.fork()
    if copy == 0:
        code = 99
        try:
            code = work()
        finally:
            os._exit(code)
    _, status = os.waitpid(copy, 0)
    return os.waitstatus_to_exitcode(status)
