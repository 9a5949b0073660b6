"""Copies of the sources that one operation was shown: quotes are from these, and from nothing else.

What stands at an address today may be gone when a quote is checked, or another text. So each source
is kept as it was first read, and everything after that reads the copy, and behind the copies what
is at hand.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from countersign.approvals.digest import canonical, sha256
from countersign.platform.threads import RESEARCH
from countersign.sources.library import Library, Passage, Source, UnknownSource
from countersign.sources.locators import Locator, read_locators, stored
from countersign.sources.memory import MemoryLibrary
from countersign.sources.origin import Origin

if TYPE_CHECKING:
    from countersign.sources.memory import SourceText
    from countersign.stores.artifacts import Artifacts


class Unread(Exception):
    """A source could not be read; the message says why."""


class Copy(BaseModel):
    """A source as it was kept.

    Attributes:
        text: the reference of its text.
        locators: the reference of where the parts of that stand, where that is known.
        original: the reference of the bytes that the text was read from, where there are any.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    id: str
    title: str
    url: str | None
    origin: Origin
    text: str
    locators: str | None = None
    original: str | None = None

    @property
    def source(self) -> Source:
        """The source that it is a copy of."""
        return Source(id=self.id, title=self.title, url=self.url, origin=self.origin)


class _Record(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    copy_: Copy | None = None
    unread: str = ""


class Copies:
    """The copies of one operation.

    Args:
        artifacts: where they are kept.
        shelf: whose they are stored as.
        operation_id: whose they are; two operations never share a copy.
    """

    def __init__(self, artifacts: Artifacts, shelf: str, operation_id: str) -> None:
        self._artifacts = artifacts
        self._shelf = shelf
        self._operation_id = operation_id

    async def once(self, place: str, key: str, make: Callable[[], Awaitable[Copy]]) -> Copy:
        """Return the copy of a source, made unless there is one; the first one made counts.

        That a source could not be read stands as well: whoever asks again is told so at once.

        Args:
            place: where the source was found.
            key: what tells it apart there.
            make: reads the source, and puts what it says.

        Raises:
            Unread: it can't be read, or could not be when it was first tried.
        """
        stored = await self._first(["source", place, key], lambda: _record(make))
        record = _Record.model_validate_json(stored)
        if record.copy_ is None:
            raise Unread(record.unread)
        return record.copy_

    async def answer(
        self, place: str, query: str, ask: Callable[[], Awaitable[list[dict[str, Any]]]]
    ) -> list[dict[str, Any]]:
        """Return a search's answer to a query, as JSON; each operation asks once.

        A step that is done again after a crash is so shown what it was shown before, and a model's
        reply to that, which was paid for, still fits.

        Raises:
            SourceError: the search can't be asked; that is not kept.
        """

        async def make() -> bytes:
            return canonical(await ask())

        return json.loads(await self._first(["answer", place, query], make))

    async def put(self, data: bytes) -> str:
        """Keep bytes, and return their reference, which is their SHA-256."""
        return await self._artifacts.put(self._shelf, data)

    async def _first(self, parts: list[str], make: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return what any process of the operation made first under this name."""
        kind, *rest = parts
        name = sha256(canonical([kind, self._shelf, self._operation_id, *rest]))
        reference = await self._artifacts.recall(self._shelf, name)
        if reference is None:
            made = await self.put(await make())
            reference = await self._artifacts.remember(self._shelf, name, made)
        return await self._artifacts.get(self._shelf, reference)

    async def text(self, copy: Copy) -> str:
        """Return the text of a copy.

        Raises:
            ArtifactError: it is missing or damaged.
        """
        return (await self._artifacts.get(self._shelf, copy.text)).decode()

    async def put_locators(self, locators: Sequence[Locator]) -> str | None:
        """Keep where the parts of a text stand, if anything is known of that."""
        return await self.put(stored(locators).encode()) if locators else None

    async def locators(self, copy: Copy) -> Sequence[Locator]:
        """Return where the parts of a copy's text stand.

        Raises:
            ArtifactError: that is missing or damaged.
        """
        if copy.locators is None:
            return ()
        return read_locators((await self._artifacts.get(self._shelf, copy.locators)).decode())

    async def document(self, copy: Copy) -> SourceText:
        """All that a library in memory holds of a copy.

        Raises:
            ArtifactError: something of it is missing or damaged.
        """
        return copy.source, await self.text(copy), await self.locators(copy)


async def _record(make: Callable[[], Awaitable[Copy]]) -> bytes:
    try:
        record = _Record(copy_=await make())
    except Unread as error:
        record = _Record(unread=str(error))
    return canonical(record.model_dump(mode="json"))


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
