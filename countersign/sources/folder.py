"""A folder of documents as a library, with its index in one SQLite file."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import ClassVar

from countersign.sources.files import File, documents
from countersign.sources.index import PassageIndex
from countersign.sources.library import Passage, Source, UnusableIndex
from countersign.sources.reading import Unreadable, read

BUSY_SECONDS = 30.0

_log = logging.getLogger(__name__)


class FolderLibrary:
    """The `.md`, `.txt` and `.html` files of a folder and its subfolders.

    The index follows the files: a search first takes in what was added, changed or removed.
    Several processes may use one index file; one writes, the others wait. Each call opens the
    index for itself, so any thread may call.

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
        self._has_looked = False

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

    def source(self, source_id: str) -> Source:
        """Return the source with this id; raises UnknownSource."""
        with self._index(look=not self._has_looked) as index:
            return index.source(source_id)

    @contextmanager
    def _index(self, *, look: bool) -> Iterator[PassageIndex]:
        files = documents(self._folder) if look else None
        try:
            with self._opened() as index:
                if files is not None:
                    index.follow(files)
                    self._has_looked = True
                yield index
        except sqlite3.OperationalError as error:
            raise UnusableIndex(f"the index {str(self._index_file)!r}: {error}") from error

    @contextmanager
    def _opened(self) -> Iterator[_FolderIndex]:
        self._index_file.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connection()) as connection:
            yield _FolderIndex(connection)

    def _connection(self) -> sqlite3.Connection:
        connection = _connected(self._index_file)
        try:
            _FolderIndex(connection)
        except sqlite3.OperationalError:
            connection.close()
            raise
        except sqlite3.DatabaseError as error:
            connection.close()
            _log.warning("the index %r is made anew: %s", self._index_file.name, error)
            self._index_file.unlink(missing_ok=True)
            return _connected(self._index_file)
        return connection


class _FolderIndex(PassageIndex):
    """A passage index that can be brought in line with files."""

    SCHEMA: ClassVar[tuple[str, ...]] = (
        *PassageIndex.SCHEMA,
        "CREATE TABLE seen (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL)",
    )

    def follow(self, files: Mapping[str, File]) -> None:
        if self._is_current(files):
            return
        with self.changing():
            # Another process may have done the work while this one waited for its turn.
            if not self._is_current(files):
                self._take_in(files)

    def _is_current(self, files: Mapping[str, File]) -> bool:
        return self._seen() == {name: file.fingerprint for name, file in files.items()}

    def _seen(self) -> dict[str, str]:
        return dict(self._connection.execute("SELECT id, fingerprint FROM seen"))

    def _take_in(self, files: Mapping[str, File]) -> None:
        seen = self._seen()
        for gone in seen.keys() - files.keys():
            self.remove(gone)
            self._connection.execute("DELETE FROM seen WHERE id = ?", (gone,))
        for source_id, file in files.items():
            if seen.get(source_id) != file.fingerprint:
                self._read(source_id, file)

    def _read(self, source_id: str, file: File) -> None:
        # An unreadable file counts as seen: it is tried again when it changes, not at each search.
        self._connection.execute(
            "INSERT OR REPLACE INTO seen VALUES (?, ?)", (source_id, file.fingerprint)
        )
        try:
            document = read(file.path)
        except (OSError, Unreadable) as error:
            _log.warning("the document %r is skipped: %s", source_id, error)
            self.remove(source_id)
        else:
            source = Source(id=source_id, title=document.title, url=document.url)
            self.put(source, document.text)


def _connected(index_file: Path) -> sqlite3.Connection:
    return sqlite3.connect(index_file, timeout=BUSY_SECONDS, isolation_level=None)
