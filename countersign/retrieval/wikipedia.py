"""Articles of a Wikipedia: its API finds them, and each is then read as any page of the web."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from countersign.retrieval.errors import PlaceAway
from countersign.retrieval.finder import Hit
from countersign.retrieval.service import entries, read, text
from countersign.web.fetching import Fetcher, NotFetched

LONGEST_QUERY = 300
"""Characters that its search takes: https://www.mediawiki.org/wiki/Help:CirrusSearch."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wikipedia:
    """The search of one Wikipedia (https://www.mediawiki.org/wiki/API:Search).

    Attributes:
        fetcher: asks its API.
        site: where it is, such as https://en.wikipedia.org.
    """

    fetcher: Fetcher
    site: str
    name: str = "Wikipedia"
    service: str = "Wikipedia"
    place: str = "wikipedia"

    async def find(self, query: str, limit: int) -> list[Hit]:
        """Return the articles that fit best; raises PlaceAway."""
        if not any(map(str.isalnum, query)):
            return []
        asked = {
            "action": "query",
            "list": "search",
            "srsearch": query[:LONGEST_QUERY],
            "srlimit": limit,
            "srprop": "",
            "format": "json",
            "formatversion": 2,
        }
        try:
            data = await self.fetcher.call(f"{self.site}/w/api.php?{urlencode(asked)}")
        except NotFetched as error:
            raise PlaceAway(str(error)) from error
        found = read(data).get("query")
        articles = entries(found if isinstance(found, dict) else {}, "search")
        titles = [title for each in articles if (title := text(each, "title"))]
        return [self._hit(title) for title in titles[:limit]]

    def _hit(self, title: str) -> Hit:
        address = f"{self.site}/wiki/{quote(title.replace(' ', '_'), safe='/:,()')}"
        return Hit(key=address, title=title, address=address)
