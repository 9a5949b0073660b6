"""Copies of the embedded stores, made while the app works on them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

from countersign.stores.errors import StoreError, StoreUnavailable
from countersign.stores.whole_file import WholeFiles, make_folder, sync_folder


def copy_database(source: Path, target: Path) -> None:
    """Copy a SQLite file as it is at one moment; whoever writes to it goes on meanwhile.

    Args:
        source: the file.
        target: where no file is yet.

    Raises:
        StoreUnavailable: one of the two can't be used.
        StoreError: the copy is damaged.
    """
    make_folder(target.parent)
    try:
        with closing(_opened(source, "ro")) as read, closing(_opened(target, "rwc")) as written:
            # All pages in one step: a backup in several begins again whenever somebody writes.
            read.backup(written)
            # The copy is one file, without a log beside it.
            written.execute("PRAGMA journal_mode = DELETE")
            (found,) = written.execute("PRAGMA integrity_check").fetchone()
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(f"{source} can't be copied to {target}: {error}") from error
    if found != "ok":
        raise StoreError(f"the copy of {source} is damaged: {found}")
    sync_folder(target.parent)


def _opened(file: Path, mode: str) -> sqlite3.Connection:
    address = f"{file.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, timeout=30.0, isolation_level=None)


def copy_missing(source: Path, target: Path, *, but_not: Collection[str] = ()) -> int:
    """Copy each file below a folder that is not there yet, durably; none is changed.

    Args:
        source: the folder.
        target: where to.
        but_not: folders directly in it that are left out.

    Returns:
        How many were copied.

    Raises:
        OSError: one can't be read or written.
    """
    files, copied = WholeFiles(target), 0
    for file in _files_below(source):
        below = file.relative_to(source)
        there = target / below
        if not there.exists() and below.parts[0] not in but_not:
            files.replace(there, file.read_bytes())
            copied += 1
    return copied


def _files_below(folder: Path) -> Iterator[Path]:
    """All files but those that are only being written."""
    for file in sorted(folder.rglob("*")) if folder.is_dir() else ():
        hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
        if file.is_file() and not hidden:
            yield file
