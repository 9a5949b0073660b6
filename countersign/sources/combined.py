"""Several libraries as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, zip_longest

from countersign.sources.library import Library, Passage, Source, UnknownSource

SEPARATOR = ":"


class CombinedLibrary:
    """Libraries side by side; a source's id is its library's name, a colon, and its id there.

    Args:
        libraries: By name, best first. Names hold no colon.
    """

    def __init__(self, libraries: Mapping[str, Library]) -> None:
        self._libraries = dict(libraries)

    def search(self, query: str, limit: int = 8) -> list[Passage]:
        """Return the best passages of each library in turn.

        BM25 scores of different collections can't be compared, ranks can.
        """
        ranked = [
            [_named(name, passage) for passage in library.search(query, limit)]
            for name, library in self._libraries.items()
        ]
        in_turn = chain.from_iterable(zip_longest(*ranked))
        return [passage for passage in in_turn if passage is not None][:limit]

    def text(self, source_id: str) -> str:
        """Return the text of a source; raises UnknownSource."""
        library, inner_id = self._owner(source_id)
        return library.text(inner_id)

    def source(self, source_id: str) -> Source:
        """Return the source with this id; raises UnknownSource."""
        library, inner_id = self._owner(source_id)
        return replace(library.source(inner_id), id=source_id)

    def titles(self) -> list[str]:
        """Return the titles of all libraries, one library after the other."""
        return [title for library in self._libraries.values() for title in library.titles()]

    def _owner(self, source_id: str) -> tuple[Library, str]:
        name, _, inner_id = source_id.partition(SEPARATOR)
        if name not in self._libraries:
            raise UnknownSource(source_id)
        return self._libraries[name], inner_id


def _named(name: str, passage: Passage) -> Passage:
    source = replace(passage.source, id=f"{name}{SEPARATOR}{passage.source.id}")
    return replace(passage, source=source)
