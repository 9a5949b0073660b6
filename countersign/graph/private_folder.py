"""Folders and files for their owner alone: who can write a checkpoint could change a graph's way.

Nothing here follows a link, and what is looked at is what was opened: between a look at a name and
its use, somebody may put something else there.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from countersign.stores.whole_file import make_folder, sync_folder

PRIVATE = 0o700

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
# To open a pipe would else be to wait for somebody to write.
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class NotAFile(OSError):
    """There is something else in the place of a file, also a link."""


class TooLarge(OSError):
    """A file has more bytes than it may have."""


def make_private(folder: Path) -> Path:
    """Make a folder that nobody else can look into and that survives a power cut; return it.

    On Windows the rights of the user's own folders are left as they are.

    Raises:
        PermissionError: it is there, and it is another user's.
        NotADirectoryError: something else is there, also a link: that could lead anywhere.
    """
    make_folder(folder.parent)
    try:
        folder.mkdir(mode=PRIVATE)
        sync_folder(folder.parent)
    except FileExistsError:
        pass
    if os.name == "nt":
        if folder.is_symlink() or not folder.is_dir():
            raise _no_folder(folder)
        return folder
    descriptor = _open_folder(folder)
    try:
        _keep_private(folder, descriptor)
    finally:
        os.close(descriptor)
    return folder


def read_private(file: Path, most_bytes: int) -> bytes:
    """All bytes of a file, read once.

    Raises:
        FileNotFoundError: it is not there.
        NotAFile: it is a link, a folder, a pipe or a device.
        TooLarge: it has more bytes than `most_bytes`.
        OSError: it can't be read.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | _NO_FOLLOW | _NO_WAIT | _BINARY)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.EMLINK, errno.ENXIO} or file.is_dir():
            raise NotAFile("is not a file") from error
        raise
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotAFile("is not a file")
        if os.name == "nt" and file.is_symlink():
            raise NotAFile("is not a file")
        data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise TooLarge(f"has more than {most_bytes} bytes")
    return data


def _open_folder(folder: Path) -> int:
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _NO_FOLLOW)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR}:
            raise _no_folder(folder) from error
        raise


def _keep_private(folder: Path, descriptor: int) -> None:
    found = os.fstat(descriptor)
    if found.st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user")
    if stat.S_IMODE(found.st_mode) != PRIVATE:
        os.fchmod(descriptor, PRIVATE)


def _no_folder(folder: Path) -> NotADirectoryError:
    return NotADirectoryError(f"{folder} has to be a folder, not a link")
