"""Places where research can look: what they show is kept as they show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from countersign.platform.threads import RESEARCH
from countersign.retrieval.copies import Copies, Copy
from countersign.sources.folder_index import SkippedFile, some_of
from countersign.sources.in_threads import InThreads
from countersign.sources.library import Library, Passage
from countersign.sources.origin import Origin

MOST_LEFT_OUT = 20
"""Files that are named as unread; a folder may hold thousands."""


class Place(Protocol):
    """Somewhere that research can look; for one step of one operation.

    Attributes:
        name: what people call it.
        copies: the copies of all sources that it has shown, by their ids.
        unread: why sources that are there could not be read, by address, title or file name.
    """

    name: str
    copies: dict[str, Copy]
    unread: dict[str, str]

    async def search(self, query: str, limit: int) -> list[Passage]:
        """Return the best passages for a query, best first, each from a source that was kept.

        Raises:
            SourceError: it can't be searched (PlaceAway: now), or nothing of it can be read
                (NothingReadable).
        """
        ...

    async def titles(self, topic: str) -> list[str]:
        """Return the titles of what is there, or of what is found there on the topic.

        Raises:
            SourceError: it can't be searched (PlaceAway: now), or nothing of it can be read
                (NothingReadable).
        """
        ...


class AtHand:
    """The operator's folder, or the documents that came with a request.

    Args:
        name: what people call it.
        library: the documents.
        kind: whose they are.
        copies: where what is shown of it is kept.
        left_out: says which of its files could not be read.
    """

    def __init__(
        self,
        name: str,
        library: Library,
        kind: Literal["library", "request"],
        copies: Copies,
        left_out: Callable[[], Sequence[SkippedFile]] = tuple,
    ) -> None:
        self.name = name
        self.copies: dict[str, Copy] = {}
        self.unread: dict[str, str] = {}
        self._library = InThreads(library)
        self._kind: Literal["library", "request"] = kind
        self._kept = copies
        self._left_out = left_out

    async def search(self, query: str, limit: int) -> list[Passage]:
        """Search all the documents."""
        passages = await self._library.search(query, limit)
        for source_id in {each.source.id for each in passages} - self.copies.keys():
            self.copies[source_id] = await self._copy(source_id)
        left_out = await RESEARCH.run(self._left_out)
        self.unread = {each.name: each.reason for each in some_of(left_out, MOST_LEFT_OUT)}
        return passages

    async def titles(self, topic: str) -> list[str]:
        """Return the titles of all documents."""
        return await self._library.titles()

    async def _copy(self, source_id: str) -> Copy:
        async def make() -> Copy:
            source = await self._library.source(source_id)
            text = await self._kept.put((await self._library.text(source_id)).encode())
            locators = await self._library.locators(source_id)
            return Copy(
                id=source.id,
                title=source.title,
                url=source.url,
                origin=source.origin or Origin(kind=self._kind, digest=text),
                text=text,
                locators=await self._kept.put_locators(locators),
            )

        return await self._kept.once(self._kind, source_id, make)
