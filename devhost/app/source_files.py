"""Notices when the app's source changes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

_LOOK_SECONDS = 1.0
# What the host itself has read from them is read again then.
SETTINGS = ("host.json", "local.settings.json")
_NEVER = {"__pycache__", "node_modules"}

_Version = tuple[int, int]


class SourceFiles:
    """The Python files and settings of an app, but those of virtual environments.

    Args:
        app: The app's folder.
        data: The host's data folder, which may lie inside.
    """

    def __init__(self, app: Path, data: Path) -> None:
        self._app = app.resolve()
        self._data = data.resolve()
        self._known = self._look()

    async def changed(self) -> list[str]:
        """Wait for a change, and return the changed files' paths within the app."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            before, self._known = self._known, await asyncio.to_thread(self._look)
            differing = before.items() ^ self._known.items()
            if differing:
                return sorted({path for path, _ in differing})

    def _look(self) -> dict[str, _Version]:
        found: dict[str, _Version] = {}
        for folder, subfolders, files in os.walk(self._app):
            here = Path(folder)
            subfolders[:] = [name for name in subfolders if self._counts(here / name)]
            wanted = [name for name in files if name.endswith(".py")]
            if here == self._app:
                wanted += [name for name in SETTINGS if name in files]
            for name in wanted:
                if version := _version(here / name):
                    found[(here / name).relative_to(self._app).as_posix()] = version
        return found

    def _counts(self, folder: Path) -> bool:
        if folder.name.startswith(".") or folder.name in _NEVER or folder == self._data:
            return False
        # That of Path raises PermissionError for a folder that can't be read.
        return not os.path.exists(folder / "pyvenv.cfg")  # noqa: PTH110


def _version(file: Path) -> _Version | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
