"""Find the documents in a folder and give each an id that stays."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from countersign.sources.library import MissingFolder
from countersign.sources.reading import SUFFIXES

MOST_FILES = 10_000

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """A document's place, and a fingerprint that changes with its size or time of change."""

    path: Path
    fingerprint: str


def documents(folder: Path) -> dict[str, File]:
    """Return the folder's documents by source id, MOST_FILES at most, in order of their paths.

    Hidden files are left out, and so is a link to anything outside the folder.

    Raises:
        MissingFolder: There is no such folder.
    """
    if not folder.is_dir():
        raise MissingFolder(f"the library folder {str(folder)!r} doesn't exist")
    root = folder.resolve()
    return {_source_id(path, root): file for path, file in islice(_files(root), MOST_FILES)}


def _files(root: Path) -> Iterator[tuple[Path, File]]:
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for path in (Path(place, name) for name in sorted(names) if not name.startswith(".")):
            if path.suffix.lower() in SUFFIXES and (file := _file(path, root)):
                yield path, file


def _file(path: Path, root: Path) -> File | None:
    try:
        target = path.resolve()
        status = target.stat()
    except (OSError, RuntimeError):  # A broken link, one in a circle, or removed a moment ago.
        return None
    if not target.is_file() or root not in target.parents:
        return None
    return File(path=target, fingerprint=f"{status.st_size}-{status.st_mtime_ns}")


def _source_id(path: Path, root: Path) -> str:
    # File names are untrusted: whatever isn't plain gives way to a hash of the whole path.
    name = path.relative_to(root).as_posix()
    if _PLAIN_NAME.fullmatch(name):
        return name
    slug = re.sub(r"[^A-Za-z0-9]+", "-", path.stem).strip("-")[:40]
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
    return f"{slug or 'document'}-{digest[:8]}"
