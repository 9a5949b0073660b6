"""A web search of the operator's own: a SearXNG instance, which asks other engines in turn."""

from __future__ import annotations

from dataclasses import dataclass

from countersign.retrieval.finder import Hit
from countersign.retrieval.service import ask, entries, text


@dataclass(frozen=True, kw_only=True, slots=True)
class WebSearch:
    """The JSON search of SearXNG (https://docs.searxng.org/dev/search_api.html).

    Attributes:
        url: where the instance is; its settings have to allow the format `json`.
    """

    url: str
    name: str = "the web search"
    service: str = "the web search"
    place: str = "web_search"

    async def find(self, query: str, limit: int) -> list[Hit]:
        """Addresses of pages that fit, as the engines rank them; raises PlaceAway."""
        asked = {"q": query, "format": "json"}
        said = await ask("GET", f"{self.url.rstrip('/')}/search", params=asked)
        found = {text(each, "url"): text(each, "title") for each in entries(said, "results")}
        hits = [Hit(key=url, title=title, address=url) for url, title in found.items() if url]
        return hits[:limit]
