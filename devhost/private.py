"""What a developer's machine keeps of an app is its user's alone."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

_OTHERS = 0o077


def keep_to_user() -> None:
    """Have this process, and those that it starts, make files that nobody else can read.

    Windows has no such mask: there files have the rights of their folder.
    """
    if os.name != "nt":
        os.umask(_OTHERS)


def make_private(folder: Path) -> None:
    """Make a folder that nobody else can look into, with all that is in it.

    What is there already is changed once, when the folder was still open to others. Links are not
    followed.

    Raises:
        OSError: It can't be made, or is another user's.
    """
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if os.name == "nt":
        if made:
            _own_on_windows(folder)
    elif stat.S_IMODE(folder.stat().st_mode) & _OTHERS:
        _own(folder)


def _own(folder: Path) -> None:
    # The folder itself comes last: should this be interrupted, it is done again.
    for place, folders, files in os.walk(folder, topdown=False):
        for path in (Path(place, name) for name in (*files, *folders)):
            if not path.is_symlink():
                _close(path)
    _close(folder)


def _close(path: Path) -> None:
    path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)


def _own_on_windows(folder: Path) -> None:
    # Below a drive's root others may read by what a folder inherits.
    user = f"{os.environ.get('USERDOMAIN', '')}\\{os.environ.get('USERNAME', '')}".lstrip("\\")
    rights = ["/inheritance:r", "/grant:r", f"{user}:(OI)(CI)F"]
    done = subprocess.run(["icacls", str(folder), *rights], capture_output=True, check=False)
    if done.returncode:
        raise OSError(
            f"the rights of {folder} can't be set: {done.stderr.decode(errors='replace')}"
        )
