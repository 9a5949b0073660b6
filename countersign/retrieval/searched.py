"""A place behind a search."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from countersign.approvals.digest import sha256
from countersign.platform.threads import RESEARCH
from countersign.retrieval.copies import Copies, Copy, Unread
from countersign.retrieval.errors import NothingReadable
from countersign.retrieval.finder import Finder, Hit
from countersign.retrieval.page_reader import PageReader
from countersign.sources.library import Passage
from countersign.sources.memory import MemoryLibrary

MOST_READ_AT_ONCE = 4
MOST_HITS = 8
"""That are read of what one query finds: each may be a page to fetch."""


class Searched:
    """What a search finds is fetched where it has to be, kept, and only then read for passages.

    Args:
        finder: the search.
        copies: where what is found is kept.
        reader: makes the copies.
    """

    def __init__(self, finder: Finder, copies: Copies, reader: PageReader) -> None:
        self.name = finder.name
        self.copies: dict[str, Copy] = {}
        self.unread: dict[str, str] = {}
        self._finder = finder
        self._kept = copies
        self._reader = reader
        self._library = MemoryLibrary()
        self._turns = asyncio.Semaphore(MOST_READ_AT_ONCE)

    async def search(self, query: str, limit: int) -> list[Passage]:
        """Search there, and then in all that was found in this step."""
        await self._find(query)
        return await RESEARCH.run(self._library.search, query, limit)

    async def titles(self, topic: str) -> list[str]:
        """Return the titles of what is found on the topic."""
        await self._find(topic)
        return [copy.title for copy in self.copies.values()]

    async def _find(self, query: str) -> None:

        async def ask() -> list[dict[str, Any]]:
            return [asdict(hit) for hit in await self._finder.find(query, MOST_HITS)]

        answer = await self._kept.answer(self._finder.place, query, ask)
        hits = [Hit(**each) for each in answer]
        await asyncio.gather(*(self._take(hit) for hit in hits))
        if hits and not self.copies:
            raise NothingReadable("none of the results could be read")

    async def _take(self, hit: Hit) -> None:
        source_id = f"{self._finder.place}-{sha256(hit.key.encode())[:12]}"
        if source_id in self.copies:
            return

        async def make() -> Copy:
            return await self._reader.copy(source_id, hit, self._kept, service=self._finder.service)

        try:
            async with self._turns:
                copy = await self._kept.once(self._finder.place, hit.key, make)
        except Unread as error:
            self.unread[hit.address or hit.title or hit.key] = str(error)
            return
        await RESEARCH.run(self._library.put, *await self._kept.document(copy))
        self.copies[copy.id] = copy
