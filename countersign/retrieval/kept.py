"""What an operation was shown, to be read again: its copies, and behind them what is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

from countersign.platform.threads import RESEARCH
from countersign.retrieval.copies import Copies, Copy
from countersign.sources.library import Library, Passage, Source, UnknownSource
from countersign.sources.locators import Locator
from countersign.sources.memory import MemoryLibrary

MOST_CHARACTERS = 20_000_000
"""Of all texts that are read at once; what is more is left out."""


class KeptLibrary:
    """Several libraries as one; where two have a source of one id, the first is right.

    Args:
        libraries: the copies first, and then what is at hand: operations that were begun before
            copies were kept have nothing else.
    """

    def __init__(self, libraries: Sequence[Library]) -> None:
        self._libraries = libraries

    def search(self, query: str, limit: int = 8) -> list[Passage]:
        """Return the best passages of each library first, then their second ones."""
        ranked = [library.search(query, limit) for library in self._libraries]
        turns = filter(None, chain.from_iterable(zip_longest(*ranked)))
        different = {(passage.source.id, passage.text): passage for passage in turns}
        return list(different.values())[:limit]

    def text(self, source_id: str) -> str:
        """Return the text of a source; raises UnknownSource."""
        return self._with(source_id).text(source_id)

    def locators(self, source_id: str) -> Sequence[Locator]:
        """Return where the parts of its text stand in its file; raises UnknownSource."""
        return self._with(source_id).locators(source_id)

    def source(self, source_id: str) -> Source:
        """Return the source with this id; raises UnknownSource."""
        return self._with(source_id).source(source_id)

    def titles(self) -> list[str]:
        """Return the titles of all sources."""
        titles = chain.from_iterable(library.titles() for library in self._libraries)
        return list(dict.fromkeys(titles))

    def _with(self, source_id: str) -> Library:
        for library in self._libraries:
            try:
                library.source(source_id)
            except UnknownSource:
                continue
            return library
        raise UnknownSource(source_id)


async def kept_library(
    shown: Sequence[Copy], copies: Copies, at_hand: Sequence[Library]
) -> KeptLibrary:
    """Read copies.

    Args:
        shown: which.
        copies: where they are kept.
        at_hand: what is read for sources of which there is no copy.

    Raises:
        ArtifactError: a copy is missing or damaged.
    """
    memory = MemoryLibrary()
    total = 0
    for copy in {each.id: each for each in shown}.values():
        document = await copies.document(copy)
        total += len(document[1])
        if total <= MOST_CHARACTERS:
            await RESEARCH.run(memory.put, *document)
    return KeptLibrary([memory, *at_hand])
