"""What one step looks up in a library: by code, as much as a request may show, nothing twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from countersign.sources.library import AsyncLibrary, Passage
from countersign.sources.terms import words
from countersign.team.claims import near_duplicates
from countersign.team.questions import Shown

LONGEST_QUERY = 300

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])|\n")


class LookUps:
    """Searches a library for one step.

    Args:
        library: Where to look.
        most_characters: Characters of passages that one request may show.

    Attributes:
        queries: what was asked, in order; what has no word can't be asked.
        passages: what was shown, in order.
    """

    def __init__(self, library: AsyncLibrary, most_characters: int) -> None:
        self.queries: list[str] = []
        self.passages: list[Shown] = []
        self._library = library
        self._most = most_characters

    async def look_up(self, queries: Sequence[str]) -> list[Shown]:
        """Return the best passages that weren't shown before, those of one source together.

        What asks for nearly the same as an earlier query is not looked up.

        Raises:
            SourceError: The library can't be read.
        """
        new: list[str] = []
        for query in (each[:LONGEST_QUERY] for each in queries):
            if words(query) and not any(near_duplicates(query, old) for old in self.queries):
                new.append(query)
                self.queries.append(query)
        shown = list(self._that_fit(await _found(new, self._library)))
        self.passages += shown
        return shown

    def sources(self) -> dict[str, str]:
        """Return the titles of the sources that were shown, by id."""
        return {passage.source: passage.title for passage in self.passages}

    def _that_fit(self, found: Sequence[Passage]) -> Iterator[Shown]:
        known, left = set(self.passages), self._most
        for passage in found:
            shown = Shown(passage.source.id, passage.source.title, _beginning(passage.text, left))
            if shown.text and shown not in known:
                left -= len(shown.text)
                yield shown


async def _found(queries: Sequence[str], library: AsyncLibrary) -> list[Passage]:
    """Return the best passages; those of each source together, as its author ordered them."""
    found = [await library.search(query) for query in queries]
    passages = list(dict.fromkeys(chain.from_iterable(found)))
    rank = {passage.source.id: -place for place, passage in enumerate(reversed(passages))}
    texts = {source: await library.text(source) for source in rank}

    def place(passage: Passage) -> tuple[int, int]:
        source = passage.source.id
        return rank[source], texts[source].find(passage.text)

    return sorted(passages, key=place)


def _beginning(text: str, most: int) -> str:
    """As much of a text as there is room for, up to where a sentence ends."""
    if len(text) <= most:
        return text
    ends = [found.start() for found in _SENTENCE_END.finditer(text, 0, max(0, most))]
    return text[: ends[-1]].rstrip() if ends else ""
