"""What an operation's research can look in: as its request says, where the settings allow it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from countersign.platform.threads import RESEARCH
from countersign.retrieval.allowed import LIBRARY, PAGES, Allowed
from countersign.retrieval.collection import Collection
from countersign.retrieval.copies import Copies
from countersign.retrieval.errors import NothingLookedUp
from countersign.retrieval.finder import Finder
from countersign.retrieval.given_pages import GivenPages
from countersign.retrieval.page_reader import PageReader
from countersign.retrieval.places import AtHand, Place
from countersign.retrieval.searched import Searched
from countersign.sources.documents import DocumentLibrary
from countersign.sources.folder_index import SkippedFile
from countersign.sources.library import Library


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """What a request says of where to look.

    Attributes:
        topic: what the searches are about.
        requester: the name of who asks.
        documents: those that come with it, as `DocumentLibrary` takes them.
        look_in: the words of the places, None where it names none.
        addresses: those of pages.
    """

    topic: str
    requester: str = ""
    documents: Sequence[Mapping[str, Any]] = ()
    look_in: Sequence[str] | None = None
    addresses: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """All places, from which each request takes its own.

    Attributes:
        library: the operator's folder.
        left_out: says which files of that could not be read.
        allowed: what is turned on.
        reader: reads what stands at addresses.
        searches: the searches that are turned on, by their words in requests.
    """

    library: Library
    left_out: Callable[[], Sequence[SkippedFile]] = tuple
    allowed: Allowed = field(default_factory=Allowed)
    reader: PageReader = field(default_factory=PageReader)
    searches: Mapping[str, Finder] = field(default_factory=dict)

    async def collection(self, scope: Scope, copies: Copies) -> Collection:
        """Return the sources that one step of an operation searches.

        Raises:
            NothingLookedUp: nothing of what the request names is turned on any more.
        """
        places = list(self._places(scope, copies))
        if scope.documents:
            library = await _brought(scope)
            places.insert(0, AtHand("the documents", library, "request", copies))
        if not places:
            raise NothingLookedUp("the sources that the request names are turned off now")
        return Collection(places, copies, scope.topic)

    async def at_hand(self, scope: Scope) -> list[Library]:
        """Return the libraries that can be read without a search elsewhere."""
        brought = [await _brought(scope)] if scope.documents else []
        return [*brought, *([self.library] if LIBRARY in looked_in(scope) else [])]

    def _places(self, scope: Scope, copies: Copies) -> Iterator[Place]:
        wanted = looked_in(scope)
        if LIBRARY in wanted and LIBRARY in self.allowed.names:
            yield AtHand("the library", self.library, "library", copies, self.left_out)
        if scope.addresses and PAGES in self.allowed.names:
            yield Searched(GivenPages(addresses=scope.addresses), copies, self.reader)
        for name in wanted:
            if name in self.searches:
                yield Searched(self.searches[name], copies, self.reader)


async def _brought(scope: Scope) -> DocumentLibrary:
    return await RESEARCH.run(DocumentLibrary, scope.documents, scope.requester)


def looked_in(scope: Scope) -> tuple[str, ...]:
    """Return the names of the places that a request names; the library if it names none."""
    if scope.look_in is None:
        return () if scope.documents or scope.addresses else (LIBRARY,)
    return tuple(scope.look_in)
