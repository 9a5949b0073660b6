"""Files that are whole or absent, whatever is killed or loses power while one is written."""

from __future__ import annotations

import contextlib
import errno
import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

ABANDONED_AFTER = 3600.0
"""Seconds after which an unfinished file can only be what a killed writer left behind."""

_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


class WholeFiles:
    """Write files below one folder: first a complete and synced copy beside them, then its name.

    Args:
        folder: the root; copies are made in its subfolder `.incoming`, so that giving them
            their name never crosses a file system.
    """

    def __init__(self, folder: Path) -> None:
        self._incoming = folder / ".incoming"

    def create(self, file: Path, data: bytes) -> bool:
        """Write a file durably unless there is one; never change one.

        Returns:
            Whether this call wrote it.

        Raises:
            OSError: it can't be written, or the file system has no hard links. Without them a
                name can't be taken exclusively and given to a complete file in one step.
        """
        make_folder(file.parent)
        with self._copy(data) as copy:
            created = _link(copy, file)
        sync_folder(file.parent)
        return created

    def replace(self, file: Path, data: bytes) -> None:
        """Write a file durably in place of what is there, if anything.

        Raises:
            OSError: it can't be written.
        """
        make_folder(file.parent)
        with self._copy(data) as copy:
            copy.replace(file)
        sync_folder(file.parent)

    @contextlib.contextmanager
    def _copy(self, data: bytes) -> Iterator[Path]:
        make_folder(self._incoming)
        self._sweep()
        copy = self._incoming / uuid.uuid4().hex
        try:
            with copy.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            yield copy
        finally:
            copy.unlink(missing_ok=True)

    def _sweep(self) -> None:
        oldest = time.time() - ABANDONED_AFTER
        for copy in self._incoming.iterdir():
            # Another process may be sweeping the same leftovers.
            with contextlib.suppress(OSError):
                if copy.stat().st_mtime < oldest:
                    copy.unlink()


def make_folder(folder: Path) -> None:
    """Make a folder and its parents so that they survive a power cut."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; Windows does so by itself and can't be asked."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _link(copy: Path, file: Path) -> bool:
    try:
        os.link(copy, file)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno in _NO_LINKS:
            reason = "this file system has no hard links, so nothing can be written just once"
            raise OSError(error.errno, reason, str(file.parent)) from error
        raise
    return True
