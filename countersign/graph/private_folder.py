"""Folders for their owner alone: who can write a checkpoint could change where a graph goes on."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from countersign.stores.whole_file import make_folder, sync_folder

PRIVATE = 0o700


def make_private(folder: Path) -> Path:
    """Make a folder that nobody else can look into and that survives a power cut; return it.

    On Windows the rights of the user's own folders are left as they are.

    Raises:
        PermissionError: it is there, and it is another user's.
        NotADirectoryError: something else is there, also a link: that could lead anywhere.
    """
    make_folder(folder.parent)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise NotADirectoryError(f"{folder} has to be a folder, not a link")
    if not folder.exists():
        folder.mkdir(mode=PRIVATE, exist_ok=True)
        sync_folder(folder.parent)
    if os.name != "nt":
        if folder.stat().st_uid != os.geteuid():
            raise PermissionError(f"{folder} belongs to another user")
        if stat.S_IMODE(folder.stat().st_mode) != PRIVATE:
            folder.chmod(PRIVATE)
    return folder
