"""Find a Chromium that is on this machine already."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from local.errors import Missing

_PROGRAMS = (
    # The same engine without a window to draw: a test takes about half of the time.
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
_MAC = ("Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium")
_WINDOWS = ("Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe")


def find_browser() -> str:
    """Return the path of a Chromium or of a browser made of it.

    Raises:
        Missing: There is none.
    """
    on_path = [shutil.which(program) for program in _PROGRAMS]
    installed = [str(place) for place in _usual_places() if place.is_file()]
    found = [path for path in on_path if path] + installed
    if not found:
        raise Missing(
            "The page is tested in a real browser, and none is installed: on Debian and Ubuntu"
            " `apt install chromium`, elsewhere get Chrome from https://www.google.com/chrome."
        )
    return found[0]


def launch_options() -> dict[str, Any]:
    """Return what Playwright has to know to start it; raises Missing."""
    # Chromium does not run its sandbox for root, which is who containers run as.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return {"executable_path": find_browser(), "chromium_sandbox": not is_root}


def _usual_places() -> Iterator[Path]:
    for folder in (Path("/Applications"), Path.home() / "Applications"):
        yield from (folder / name for name in _MAC)
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if folder := os.environ.get(variable):
            yield from (Path(folder, name) for name in _WINDOWS)
