"""Find the documents in a folder and give each an id that stays."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from countersign.sources.formats import SUFFIXES, suffix_of
from countersign.sources.library import MissingFolder

MOST_FILES = 50_000
"""Of a library; those that come later in the order of their paths are not in it."""

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """A document's place, its size, and a fingerprint that changes when it does.

    Attributes:
        path: Where it is, with all links followed.
        name: What it is called in the library, as people are told.
    """

    path: Path
    name: str
    size: int
    fingerprint: str


def documents(folder: Path) -> dict[str, File]:
    """Return the folder's documents by source id, in order of their paths.

    Hidden files are left out, and so is a link to anything outside the folder. One file more than
    MOST_FILES says that there are too many.

    Raises:
        MissingFolder: There is no such folder, or nobody may look into it.
    """
    try:
        root = folder.resolve(strict=True)
        first = _entries(root)
    except (OSError, RuntimeError) as error:
        raise MissingFolder(f"the library folder {str(folder)!r} can't be opened") from error
    found = islice(_files(first, root), MOST_FILES + 1)
    return {_source_id(name): file for name, file in found}


def _files(entries: list[os.DirEntry[str]], root: Path) -> Iterator[tuple[str, File]]:
    # Folders can be nested deeper than Python's functions can.
    left = entries[::-1]
    while left:
        entry = left.pop()
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            with suppress(OSError):  # Removed a moment ago, or nobody may look into it.
                left += _entries(entry.path)[::-1]
        elif suffix_of(entry.name) in SUFFIXES and (file := _file(entry, root)):
            yield _name(entry, root), file


def _entries(place: str | Path) -> list[os.DirEntry[str]]:
    with os.scandir(os.fspath(place)) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _file(entry: os.DirEntry[str], root: Path) -> File | None:
    try:
        target = Path(entry.path).resolve() if entry.is_symlink() else Path(entry.path)
        status = entry.stat()
    except (OSError, RuntimeError):  # A broken link, one in a circle, or removed a moment ago.
        return None
    leaves = entry.is_symlink() and root not in target.parents
    if leaves or not stat.S_ISREG(status.st_mode):
        return None
    return File(
        path=target,
        name=_shown(_name(entry, root)),
        size=status.st_size,
        fingerprint=f"{status.st_size}-{status.st_mtime_ns}",
    )


def _name(entry: os.DirEntry[str], root: Path) -> str:
    return entry.path[len(os.fspath(root)) :].replace(os.sep, "/").lstrip("/")


def _shown(name: str) -> str:
    """Return a name as text that can be stored: on POSIX it may be any bytes."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "replace")


def _source_id(name: str) -> str:
    # File names are untrusted: whatever isn't plain gives way to a hash of the whole path.
    if _PLAIN_NAME.fullmatch(name):
        return name
    stem = name.rpartition("/")[2].rpartition(".")[0]
    slug = re.sub(r"[^A-Za-z0-9]+", "-", stem).strip("-")[:40]
    digest = hashlib.sha256(os.fsencode(name)).hexdigest()
    return f"{slug or 'document'}-{digest[:8]}"
