"""The files of the reviewer's page, and the script of each kind of operation among them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}

_FOLDER = Path(__file__).with_name("page")
_KINDS = "kinds/"

_added: dict[str, Path] = {}


def page_files() -> Mapping[str, Path]:
    """Return where each file of the page is, by its path there; nothing else can be asked for."""
    files = (file for file in sorted(_FOLDER.rglob("*.*")) if file.suffix in MEDIA_TYPES)
    return {file.relative_to(_FOLDER).as_posix(): file for file in files} | _added


def add_kind(script: Path) -> None:
    """Have the page load the script of another kind, which finds the page's modules at `../`.

    Raises:
        ValueError: there is a kind whose script has this name.
    """
    path = f"{_KINDS}{script.name}"
    if page_files().get(path, script) != script:
        raise ValueError(f"the page has another script {script.name!r}")
    _added[path] = script
