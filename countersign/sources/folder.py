"""A folder of documents as a library, with its index in one SQLite file."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import monotonic

from countersign.platform.file_lock import LockTaken, file_lock
from countersign.sources.files import MOST_FILES, File, documents
from countersign.sources.folder_index import FolderIndex, SkippedFile
from countersign.sources.library import Passage, Source, UnusableIndex
from countersign.sources.locators import Locator
from countersign.sources.origin import Origin
from countersign.sources.quarantine import Quarantine
from countersign.sources.reading import Document, Unreadable
from countersign.sources.uploads import MOST_BYTES

BUSY_SECONDS = 600.0
"""How long a call waits for another process that writes the index, which takes a moment."""

BRIEF_SECONDS = 1.0
"""How long a call waits that somebody is looking at."""

LONGEST_SECONDS = 60.0
"""For reading one file; nobody watches, so it may take longer than an upload."""

LONGEST_LOOK_SECONDS = 120.0
"""How long a search waits until new files are read. The next one goes on with the rest."""

_WRITTEN_AFTER_SECONDS = 1.0
"""What was read is written then: a process that is ended loses no more, and others wait little."""

_log = logging.getLogger(__name__)


class FolderLibrary:
    """The documents in a folder and its subfolders, of the kinds that `formats` lists.

    The index follows the files: a search first takes in what was added, changed or removed, the
    shortest files first. A file that can't be read, or not in time, is left out and named, and
    stops nothing. Several processes may use one index file: one reads new files, the others wait
    for it. Each call opens the index for itself, so any thread may call.

    Args:
        folder: Where the documents are.
        index_file: Where the index is kept; made if missing, and made anew if it is no index.
            It may be deleted at any time.

    Every method raises MissingFolder when the folder isn't there, and UnusableIndex when the
    index file can't be opened or written.
    """

    def __init__(self, folder: Path, index_file: Path) -> None:
        self._folder = folder
        self._index_file = index_file
        self._turn_file = index_file.with_name(f"{index_file.name}-turn")
        self._has_looked = False
        self._waiting = 0
        self._too_many = False

    def search(self, query: str, limit: int = 8) -> list[Passage]:
        """Return the best passages for a query, best first."""
        with self._index(look=True) as index:
            return index.search(query, limit)

    def titles(self) -> list[str]:
        """Return the documents' titles, ordered by source id."""
        with self._index(look=True) as index:
            return index.titles()

    def text(self, source_id: str) -> str:
        """Return the text of a source, as it was indexed; raises UnknownSource."""
        with self._index(look=not self._has_looked) as index:
            return index.text(source_id)

    def locators(self, source_id: str) -> Sequence[Locator]:
        """Return where the parts of a source's text stand in its file; raises UnknownSource."""
        with self._index(look=not self._has_looked) as index:
            return index.locators(source_id)

    def source(self, source_id: str) -> Source:
        """Return the source with this id and its origin; raises UnknownSource."""
        with self._index(look=not self._has_looked) as index:
            digest = hashlib.sha256(index.text(source_id).encode()).hexdigest()
            return replace(index.source(source_id), origin=Origin(kind="library", digest=digest))

    def left_out(self) -> list[SkippedFile]:
        """Return the files that could not be read, with the reasons, as far as is known by now.

        No file is read for it, and it takes no longer than a moment.
        """
        with self._index(look=False, patience=BRIEF_SECONDS) as index:
            return [*self._not_looked_at(), *index.left_out()]

    def _not_looked_at(self) -> Iterator[SkippedFile]:
        if self._waiting:
            name = f"{self._waiting:,} files" if self._waiting > 1 else "1 file"
            yield SkippedFile(name=name, reason="not read yet; a later search will include them")
        if self._too_many:
            reason = f"a library can have at most {MOST_FILES:,} files"
            yield SkippedFile(name="the last files of the library", reason=reason)

    @contextmanager
    def _index(self, *, look: bool, patience: float = BUSY_SECONDS) -> Iterator[FolderIndex]:
        try:
            if look:
                self._follow(self._documents())
                self._has_looked = True
            with self._opened(patience) as index:
                yield index
        except sqlite3.OperationalError as error:
            raise UnusableIndex(f"the index {str(self._index_file)!r}: {error}") from error

    def _documents(self) -> Mapping[str, File]:
        found = documents(self._folder)
        self._too_many = len(found) > MOST_FILES
        return dict(islice(found.items(), MOST_FILES))

    def _follow(self, files: Mapping[str, File]) -> None:
        different = self._differing(files)
        if different:
            with suppress(LockTaken), file_lock(self._turn_file, LONGEST_LOOK_SECONDS):
                self._take_in(files)
            different = self._differing(files)
        self._waiting = len(different)

    def _differing(self, files: Mapping[str, File]) -> list[str]:
        with self._opened() as index:
            return index.differing(files)

    def _take_in(self, files: Mapping[str, File]) -> None:
        # Another process may have done some of it while this one waited for its turn.
        different = sorted(self._differing(files), key=lambda each: _size(files.get(each)))
        read: dict[str, Document | SkippedFile | None] = {}
        begun = written = monotonic()
        with Quarantine(LONGEST_SECONDS) as quarantine:
            for source_id in different:
                read[source_id] = (
                    _read(quarantine, files[source_id]) if source_id in files else None
                )
                if monotonic() - written > _WRITTEN_AFTER_SECONDS:
                    self._write(files, read)
                    read, written = {}, monotonic()
                if monotonic() - begun > LONGEST_LOOK_SECONDS:
                    break
        self._write(files, read)

    def _write(
        self, files: Mapping[str, File], read: Mapping[str, Document | SkippedFile | None]
    ) -> None:
        # Reading takes long, so it is done while nobody waits for the index.
        with self._opened() as index:
            index.take_in(files, read)

    @contextmanager
    def _opened(self, patience: float = BUSY_SECONDS) -> Iterator[FolderIndex]:
        self._index_file.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connection(patience)) as connection:
            yield FolderIndex(connection)

    def _connection(self, patience: float) -> sqlite3.Connection:
        connection = _connected(self._index_file, patience)
        try:
            FolderIndex(connection)
        except sqlite3.OperationalError:
            connection.close()
            raise
        except sqlite3.DatabaseError as error:
            connection.close()
            _log.warning("the index %r is rebuilt: %s", self._index_file.name, error)
            self._index_file.unlink(missing_ok=True)
            return _connected(self._index_file, patience)
        return connection


def _read(quarantine: Quarantine, file: File) -> Document | SkippedFile:
    try:
        return quarantine.read(file.name, _data(file))
    except OSError as error:
        reason = f"it can't be opened: {error.strerror}"
    except Unreadable as error:
        reason = str(error)
    _log.warning("the document %r is left out: %s", file.name, reason)
    return SkippedFile(name=file.name, reason=reason)


def _data(file: File) -> bytes:
    if file.size > MOST_BYTES:
        raise Unreadable(f"it has {file.size:,} bytes: at most {MOST_BYTES:,} are read")
    with file.path.open("rb") as opened:
        data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unreadable(f"it has more than {MOST_BYTES:,} bytes, which are not read")
    return data


def _size(file: File | None) -> int:
    """Return the number of bytes to read of a file: 0 if it is gone or too large."""
    return file.size if file and file.size <= MOST_BYTES else 0


def _connected(index_file: Path, patience: float) -> sqlite3.Connection:
    return sqlite3.connect(index_file, timeout=patience, isolation_level=None)
