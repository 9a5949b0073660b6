"""Documents that came with the request, as a library in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from countersign.sources.index import PassageIndex
from countersign.sources.library import Passage, Source
from countersign.sources.locators import Locator
from countersign.sources.reading import one_line, printable


class DocumentLibrary:
    """A library of the request's own documents, with the same ranking as a folder's.

    Args:
        documents: `{title, text, url?, locators?}` each; the n-th gets the id `doc-n`. An address
            that isn't http or https is left out, since reports turn addresses into links.
    """

    def __init__(self, documents: Sequence[Mapping[str, Any]]) -> None:
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._lock = Lock()
        self._index = PassageIndex(connection)
        for number, document in enumerate(documents, start=1):
            text = printable(document["text"])
            # In a text that reads otherwise now, locators would point beside what they mean.
            located = document.get("locators") or () if text == document["text"] else ()
            locators = [_locator(each) for each in located]
            self._index.put(_source(number, document), text, locators)

    def search(self, query: str, limit: int = 8) -> list[Passage]:
        """Return the best passages for a query, best first."""
        with self._lock:
            return self._index.search(query, limit)

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
        with self._lock:
            return self._index.source(source_id)

    def titles(self) -> list[str]:
        """Return the documents' titles."""
        with self._lock:
            return self._index.titles()


def _source(number: int, document: Mapping[str, Any]) -> Source:
    url = document.get("url") or ""
    return Source(
        id=f"doc-{number}",
        title=one_line(document["title"]) or f"Document {number}",
        url=url if url.startswith(("https://", "http://")) else None,
    )


def _locator(said: Mapping[str, Any]) -> Locator:
    return Locator(
        start=said["start"], label=one_line(said["label"]), first_row=said.get("first_row")
    )
