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
from countersign.sources.folder_index import LeftOut
from countersign.sources.library import Library


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
    left_out: Callable[[], Sequence[LeftOut]] = tuple
    allowed: Allowed = field(default_factory=Allowed)
    reader: PageReader = field(default_factory=PageReader)
    searches: Mapping[str, Finder] = field(default_factory=dict)

    async def collection(self, request: Mapping[str, Any], copies: Copies) -> Collection:
        """What one step of an operation looks in.

        Raises:
            NothingLookedUp: nothing of what the request names is turned on any more.
        """
        places = list(self._places(request, copies))
        if documents := request["documents"]:
            library = await RESEARCH.run(DocumentLibrary, documents)
            places.insert(0, AtHand("the documents", library, "request", copies))
        if not places:
            raise NothingLookedUp("the sources that the request names are turned off now")
        return Collection(places, copies, request["topic"])

    async def at_hand(self, request: Mapping[str, Any]) -> list[Library]:
        """What there is to read without a search anywhere else."""
        documents = request["documents"]
        brought = [await RESEARCH.run(DocumentLibrary, documents)] if documents else []
        return [*brought, *([self.library] if LIBRARY in looked_in(request) else [])]

    def _places(self, request: Mapping[str, Any], copies: Copies) -> Iterator[Place]:
        wanted = looked_in(request)
        if LIBRARY in wanted and LIBRARY in self.allowed.names:
            yield AtHand("the library", self.library, "library", copies, self.left_out)
        addresses = request.get("addresses")
        if addresses and PAGES in self.allowed.names:
            yield Searched(GivenPages(addresses=addresses), copies, self.reader)
        for name in wanted:
            if name in self.searches:
                yield Searched(self.searches[name], copies, self.reader)


def looked_in(request: Mapping[str, Any]) -> tuple[str, ...]:
    """The words of the places that a request names; the library where it names nothing else."""
    named = request.get("look_in")
    if named is None:
        return () if request["documents"] or request.get("addresses") else (LIBRARY,)
    return tuple(named)
