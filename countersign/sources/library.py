"""What the team asks of a library: find passages, and give the text that a quote must stand in.

SourceError
├── UnknownSource    no source has this id
├── MissingFolder    the library's folder isn't there, or isn't a folder
├── UnusableIndex    the index file can't be opened or written
└── …                of searches elsewhere: see `countersign.retrieval.errors`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from countersign.sources.locators import Locator
    from countersign.sources.origin import Origin


class SourceError(Exception):
    """The sources can't be used."""


class UnknownSource(SourceError):
    """No source has this id."""

    def __init__(self, source_id: str) -> None:
        super().__init__(f"no source has the id {source_id!r}")
        self.source_id = source_id


class MissingFolder(SourceError):
    """The library's folder isn't there, or isn't a folder."""


class UnusableIndex(SourceError):
    """The index file can't be opened or written."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A document, known by an id that stays the same as long as the document does.

    Title and address come from the document's author, so they are as untrusted as its text. Only
    where its origin is `fetched` is the address the one that it was read at.
    """

    id: str
    title: str
    url: str | None = None
    origin: Origin | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """A verbatim slice of a source's text."""

    source: Source
    text: str


class Catalogue(Protocol):
    """Tells of each source what it is, but not what stands in it."""

    def source(self, source_id: str) -> Source:
        """Return the source with this id; raises UnknownSource."""
        ...


class Library(Catalogue, Protocol):
    """Documents that can be searched and read, never changed. Safe to use from several threads."""

    def search(self, query: str, limit: int = 8) -> list[Passage]:
        """Return the passages that match any word of the query, best first (BM25).

        Equal searches over equal documents give equal answers: ties are broken by source id.
        """
        ...

    def text(self, source_id: str) -> str:
        """Return the whole text of a source; raises UnknownSource."""
        ...

    def locators(self, source_id: str) -> Sequence[Locator]:
        """Return where the parts of a source's text stand in its file; raises UnknownSource."""
        ...

    def titles(self) -> list[str]:
        """Return the titles of all sources, ordered by source id."""
        ...


class AsyncLibrary(Protocol):
    """What research looks in, wherever that is: the verbs of a library, to be awaited."""

    async def search(self, query: str, limit: int = 8) -> list[Passage]:
        """Return the passages that fit a query, best first; raises SourceError."""
        ...

    async def text(self, source_id: str) -> str:
        """Return the whole text of a source that a search has shown; raises UnknownSource."""
        ...

    async def locators(self, source_id: str) -> Sequence[Locator]:
        """Return where the parts of its text stand; raises UnknownSource."""
        ...

    async def source(self, source_id: str) -> Source:
        """Return the source with this id, if a search has shown it; raises UnknownSource."""
        ...

    async def titles(self) -> list[str]:
        """Return titles that tell what can be found; raises SourceError."""
        ...
