"""Read untrusted files in a process of their own, which is ended when it takes too long.

A PDF of a few kilobytes can keep its reader busy for hours or fill the memory. Python can't end a
thread, and one that computes holds up every other request; a process can be ended, and what it
may use is bounded.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import Any

from countersign.sources.reading import Document, TooLong, Unreadable
from countersign.sources.uploads import read_upload

LONGEST_SECONDS = 25.0
MOST_MEMORY_BYTES = 1_000_000_000
MOST_AT_ONCE = 2
"""Processes; other files wait for their turn."""
LONGEST_WAIT_SECONDS = 3.0
"""For that turn. What waits holds memory and a connection, so the rest is sent away."""

TOO_SLOW = "reading it takes too long: split it, or save it as text"
TOO_BIG = "reading it takes too much memory: split it, or save it as text"
DAMAGED = "it is damaged, or not what its name says"

# Nothing else of the environment: it has the app's keys.
_INHERITED = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT")


class Busy(Exception):
    """Other files are being read, and this one's turn did not come in time."""


async def read_apart(
    name: str,
    data: bytes,
    *,
    seconds: float = LONGEST_SECONDS,
    turn_seconds: float = LONGEST_WAIT_SECONDS,
) -> Document:
    """Read a file with one of the `uploads.SUFFIXES` as plain text, within bounds.

    Args:
        name: Its name; how it is read goes by the ending.
        data: What it holds.
        seconds: How long reading it may take.
        turn_seconds: How long it waits until reading it begins.

    Raises:
        Busy: Other files are being read.
        TooLong: Its text is longer than documents may be.
        Unreadable: It has no text that can be had, or not within the bounds.
    """
    turn = _readers().submit(_ask, name, data, seconds)
    document = asyncio.wrap_future(turn)
    await asyncio.wait([document], timeout=turn_seconds)
    if turn.cancel():  # which nothing that has begun can be
        raise Busy
    return await document


@cache
def _readers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="quarantine")


def _ask(name: str, data: bytes, seconds: float) -> Document:
    said = _said(json.dumps(name).encode() + b"\n" + data, seconds)
    if refusal := said.get("too_long"):
        raise TooLong(refusal)
    if refusal := said.get("unreadable"):
        raise Unreadable(refusal)
    return Document(title=said["title"], text=said["text"])


def _said(asked: bytes, seconds: float) -> dict[str, Any]:
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    try:
        done = subprocess.run(  # noqa: S603 - this module, and nothing of the file in the command
            [sys.executable, "-m", __name__],
            input=asked,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**inherited, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            timeout=seconds,
            check=True,
        )
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"unreadable": TOO_SLOW}
    except (subprocess.CalledProcessError, ValueError):
        return {"unreadable": DAMAGED}


def _answer(name: str, data: bytes) -> dict[str, str]:
    try:
        document = read_upload(name, data)
    except TooLong as error:
        return {"too_long": str(error)}
    except Unreadable as error:
        return {"unreadable": str(error)}
    except MemoryError:
        return {"unreadable": TOO_BIG}
    except Exception:  # noqa: BLE001 - the edge of a process; a hostile file causes any error
        return {"unreadable": DAMAGED}
    return {"title": document.title, "text": document.text}


def _bound_memory() -> None:
    # Windows has no such limit, and macOS none that holds.
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))


def main() -> None:
    """Read the file on the standard input, whose name is in its first line, and say what it is."""
    _bound_memory()
    name = json.loads(sys.stdin.buffer.readline())
    answer = _answer(name, sys.stdin.buffer.read())
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
