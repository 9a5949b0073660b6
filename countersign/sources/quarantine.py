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
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import cache
from threading import Event, Timer
from time import monotonic
from typing import Any

from countersign.sources.formats import read_file
from countersign.sources.locators import read_locators, stored
from countersign.sources.reading import Document, TooLong, Unreadable
from countersign.sources.uploads import MOST_CHARACTERS, MOST_LOCATORS

LONGEST_SECONDS = 25.0
MOST_MEMORY_BYTES = 1_000_000_000
MOST_AT_ONCE = 2
"""Processes; other files wait for their turn."""
LONGEST_WAIT_SECONDS = 3.0
"""For that turn. What waits holds memory and a connection, so the rest is sent away."""

TOO_SLOW = "reading it takes too long: split it, or save it as text"
TOO_BIG = "reading it takes too much memory: split it, or save it as text"
DAMAGED = "it is damaged, or not what its name says"

_LONGEST_ANSWER = 100_000_000

# Nothing else of the environment: it has the app's keys.
_INHERITED = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT")


_being_read: dict[str, Future[Document]] = {}
"""The file of each person that is being read, or waits for it."""


class ReadersBusy(Exception):
    """Other files are being read, and this one's turn did not come in time."""


async def read_apart(
    name: str,
    data: bytes,
    *,
    seconds: float = LONGEST_SECONDS,
    turn_seconds: float = LONGEST_WAIT_SECONDS,
    person: str = "",
) -> Document:
    """Read a file with one of the `formats.SUFFIXES` as plain text, within bounds.

    Args:
        name: Its name; how it is read goes by the ending.
        data: What it holds.
        seconds: How long reading it may take.
        turn_seconds: How long it waits until reading it begins.
        person: Who sent it: of each person's files one is read at a time, so that nobody's many
            keep those of others waiting. Nothing if it has no sender.

    Raises:
        ReadersBusy: Other files are being read.
        TooLong: Its text is longer than documents may be.
        Unreadable: It has no text that can be had, or not within the bounds.
    """
    begun = monotonic()
    while earlier := _being_read.get(person):
        left = begun + turn_seconds - monotonic()
        await asyncio.wait([_end_of(earlier)], timeout=max(left, 0.0))
        if not earlier.done():
            raise ReadersBusy
        _forget(person, earlier)
    turn = _readers().submit(_ask, name, data, seconds)
    if person:
        _being_read[person] = turn
        turn.add_done_callback(lambda done: _forget(person, done))
    document = asyncio.wrap_future(turn)
    await asyncio.wait([document], timeout=max(begun + turn_seconds - monotonic(), 0.0))
    if turn.cancel():  # which nothing that has begun can be
        raise ReadersBusy
    return await document


def _end_of(read: Future[Document]) -> asyncio.Future[Document]:
    """Return the end of somebody else's reading, whose errors are for them."""
    end = asyncio.wrap_future(read)
    end.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    return end


def _forget(person: str, read: Future[Document]) -> None:
    if _being_read.get(person) is read:
        _being_read.pop(person, None)


@cache
def _readers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="quarantine")


def _ask(name: str, data: bytes, seconds: float) -> Document:
    with Quarantine(seconds) as quarantine:
        document = quarantine.read(name, data)
    length = len(document.text)
    if length > MOST_CHARACTERS:
        raise TooLong(f"its text has {length:,} characters: at most {MOST_CHARACTERS:,} are read")
    # A request carries no more of them, and the last of some would hold for all that follows.
    return document if len(document.locators) <= MOST_LOCATORS else replace(document, locators=())


class Quarantine:
    """A process that reads one file after the other; where one ends it, the next gets a new one.

    A file could change what the process says of those after it, so files of different people
    each need one of their own.

    Args:
        seconds: How long reading a file may take.
    """

    def __init__(self, seconds: float = LONGEST_SECONDS) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Quarantine:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def read(self, name: str, data: bytes) -> Document:
        """Read a file with one of the `formats.SUFFIXES` as plain text, within bounds.

        Raises:
            TooLong: Its text is longer than is read.
            Unreadable: It has no text that can be had, or not within the bounds.
        """
        said = self._said(name, data)
        if refusal := said.get("too_long"):
            raise TooLong(refusal)
        if refusal := said.get("unreadable"):
            raise Unreadable(refusal)
        return Document(
            title=said["title"],
            text=said["text"],
            url=said["url"],
            locators=read_locators(said["locators"]),
            warnings=tuple(said["warnings"]),
        )

    def _said(self, name: str, data: bytes) -> dict[str, Any]:
        process = self._process = self._process or _begun()
        late = Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = Timer(self._seconds, end)
        timer.start()
        try:
            return json.loads(_asked(process, name, data))
        except (OSError, ValueError):
            self._end()
            return {"unreadable": TOO_SLOW if late.is_set() else DAMAGED}
        finally:
            timer.cancel()

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            with suppress(OSError):  # what was written to it and not read
                self._process.__exit__(None, None, None)
            self._process = None


def _begun() -> subprocess.Popen[bytes]:
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return subprocess.Popen(  # noqa: S603 - this module, and nothing of the file in the command
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**inherited, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def _asked(process: subprocess.Popen[bytes], name: str, data: bytes) -> bytes:
    """Return the answer to one file; less than a whole one if the process ends before."""
    assert process.stdin is not None  # noqa: S101 - it is a pipe
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    process.stdin.write(json.dumps([name, len(data)]).encode() + b"\n")
    process.stdin.write(data)
    process.stdin.flush()
    return process.stdout.readline(_LONGEST_ANSWER)


def _answer(name: str, data: bytes) -> dict[str, Any]:
    try:
        document = read_file(name, data)
    except TooLong as error:
        return {"too_long": str(error)}
    except Unreadable as error:
        return {"unreadable": str(error)}
    except MemoryError:
        return {"unreadable": TOO_BIG}
    except Exception:  # noqa: BLE001 - the edge of a process; a hostile file causes any error
        return {"unreadable": DAMAGED}
    return {
        "title": document.title,
        "text": document.text,
        "url": document.url,
        "locators": stored(document.locators),
        "warnings": document.warnings,
    }


def _bound() -> None:
    # Windows has no such limits, and macOS none for memory that holds.
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))


def main() -> None:
    """Read files from the standard input, and say of each in a line what it is.

    Before each file a line has its name and its length.
    """
    _bound()
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing that a reader prints is an answer
    while line := sys.stdin.buffer.readline():
        name, length = json.loads(line)
        answers.write(json.dumps(_answer(name, sys.stdin.buffer.read(length))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
