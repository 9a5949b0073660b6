"""Documents in memory as a library."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from threading import Lock
from typing import TypeAlias

from countersign.sources.index import PassageIndex
from countersign.sources.library import Passage, Source, UnknownSource
from countersign.sources.locators import Locator

SourceText: TypeAlias = tuple[Source, str, Sequence[Locator]]
"""A source, its text, and where the parts of that stand."""


class MemoryLibrary:
    """A library in memory, with the same ranking as a folder's; more can be put into it."""

    def __init__(self, documents: Iterable[SourceText] = ()) -> None:
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._lock = Lock()
        self._index = PassageIndex(connection)
        self._sources: dict[str, Source] = {}
        for document in documents:
            self.put(*document)

    def put(self, source: Source, text: str, locators: Sequence[Locator] = ()) -> None:
        """Add a document; one of this id that is there stays."""
        with self._lock:
            if source.id not in self._sources:
                self._sources[source.id] = source
                self._index.put(source, text, locators)

    def search(self, query: str, limit: int = 8) -> list[Passage]:
        """Return the best passages for a query, best first."""
        with self._lock:
            found = self._index.search(query, limit)
        return [replace(each, source=self._sources[each.source.id]) for each in found]

    def text(self, source_id: str) -> str:
        """Return a document's text; raises UnknownSource."""
        with self._lock:
            return self._index.text(source_id)

    def locators(self, source_id: str) -> Sequence[Locator]:
        """Return where the parts of a document's text stand in its file; raises UnknownSource."""
        with self._lock:
            return self._index.locators(source_id)

    def source(self, source_id: str) -> Source:
        """Return the source with this id; raises UnknownSource."""
        if source_id not in self._sources:
            raise UnknownSource(source_id)
        return self._sources[source_id]

    def titles(self) -> list[str]:
        """Return the documents' titles, ordered by source id."""
        with self._lock:
            return self._index.titles()
