"""All that one step of an operation may look in, as one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain, zip_longest
from typing import Any, NoReturn

from countersign.retrieval.copies import Copies, Copy, kept_library
from countersign.retrieval.errors import NothingLookedUp, NothingReadable, PlaceAway
from countersign.retrieval.places import Place
from countersign.sources.library import Library, Passage, Source, SourceError, UnknownSource
from countersign.sources.locators import Locator


class Collection:
    """Several places as one; one that fails is named, and the others are searched.

    Args:
        places: where to look.
        copies: where the copies of what they show are kept.
        topic: what all the searches are about.
    """

    def __init__(self, places: Sequence[Place], copies: Copies, topic: str) -> None:
        self._places = places
        self._copies = copies
        self._topic = topic
        self._away: dict[str, str] = {}
        self._shown: dict[str, Copy] = {}

    def record(self) -> dict[str, Any]:
        """Return what the operation stores about this step, as JSON.

        Returns:
            `sources`: the copies of all sources that were shown; `unread`: what could not be read.
        """
        sources = [copy.model_dump(mode="json") for copy in self._shown.values()]
        return {"sources": sources, "unread": self.unread}

    @property
    def unread(self) -> list[str]:
        """What could not be read, a line for each: what it is, and why."""
        of_all = chain(self._away.items(), *(place.unread.items() for place in self._places))
        return [f"{what}: {why}" for what, why in of_all]

    async def search(self, query: str, limit: int = 8) -> list[Passage]:
        """Return the best passages for a query: first the best of each place, then the second.

        Raises:
            SourceError: no place can be searched (PlaceAway: now), or nothing read that was found
                (NothingLookedUp).
        """
        ranked = await self._of_all(lambda place: place.search(query, limit))
        turns = chain.from_iterable(zip_longest(*ranked))
        passages = [passage for passage in turns if passage is not None][:limit]
        copies = {key: copy for place in self._places for key, copy in place.copies.items()}
        self._shown.update({each.source.id: copies[each.source.id] for each in passages})
        return passages

    async def text(self, source_id: str) -> str:
        """Return the text of a source that was shown, as it was kept; raises UnknownSource."""
        return await self._copies.text(self._copy(source_id))

    async def locators(self, source_id: str) -> Sequence[Locator]:
        """Return where the parts of its text stand; raises UnknownSource."""
        return await self._copies.locators(self._copy(source_id))

    async def source(self, source_id: str) -> Source:
        """Return the source with this id, if it was shown; raises UnknownSource."""
        return self._copy(source_id).source

    async def titles(self) -> list[str]:
        """Return the titles of what is there, or of what is found on the topic.

        Raises:
            SourceError: no place can be searched (PlaceAway: now), or nothing read that was found
                (NothingLookedUp).
        """
        titles = await self._of_all(lambda place: place.titles(self._topic))
        return list(chain.from_iterable(titles))

    async def library(self) -> Library:
        """All sources that were shown, as they were kept."""
        return await kept_library(list(self._shown.values()), self._copies, [])

    def _copy(self, source_id: str) -> Copy:
        if source_id not in self._shown:
            raise UnknownSource(source_id)
        return self._shown[source_id]

    async def _of_all(self, ask: Callable[[Place], Awaitable[list[Any]]]) -> list[list[Any]]:
        answers = await asyncio.gather(*(self._asked(place, ask) for place in self._places))
        failures = [each for each in answers if isinstance(each, SourceError)]
        if failures and len(failures) == len(answers):
            self._give_up(failures)
        return [each for each in answers if not isinstance(each, SourceError)]

    def _give_up(self, failures: Sequence[SourceError]) -> NoReturn:
        """Say why nothing was looked up: what may pass goes before what stays as it is."""
        passing = [each for each in failures if not isinstance(each, NothingReadable)]
        if not passing:
            raise NothingLookedUp(*self.unread)
        if isinstance(passing[0], PlaceAway):
            raise PlaceAway("; ".join(self.unread))
        raise passing[0]

    async def _asked(
        self, place: Place, ask: Callable[[Place], Awaitable[list[Any]]]
    ) -> list[Any] | SourceError:
        try:
            return await ask(place)
        except NothingReadable as error:
            return error  # What was found there is named, each for itself.
        except SourceError as error:
            # Other errors name folders of this machine.
            self._away[place.name] = str(error) if isinstance(error, PlaceAway) else "can't be read"
            return error
