"""A library that is read on the threads for research, so that it holds up nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from countersign.platform.threads import RESEARCH
from countersign.sources.library import Library, Passage, Source
from countersign.sources.locators import Locator


@dataclass(frozen=True, slots=True)
class InThreads:
    """A library as an AsyncLibrary.

    Attributes:
        library: the documents.
    """

    library: Library

    async def search(self, query: str, limit: int = 8) -> list[Passage]:
        """Return the best passages for a query, best first; raises SourceError."""
        return await RESEARCH.run(self.library.search, query, limit)

    async def text(self, source_id: str) -> str:
        """Return the text of a source; raises UnknownSource."""
        return await RESEARCH.run(self.library.text, source_id)

    async def locators(self, source_id: str) -> Sequence[Locator]:
        """Return where the parts of its text stand; raises UnknownSource."""
        return await RESEARCH.run(self.library.locators, source_id)

    async def source(self, source_id: str) -> Source:
        """Return the source with this id; raises UnknownSource."""
        return await RESEARCH.run(self.library.source, source_id)

    async def titles(self) -> list[str]:
        """Return the titles of all sources, ordered by source id; raises SourceError."""
        return await RESEARCH.run(self.library.titles)
