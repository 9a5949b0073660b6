"""An index of Azure AI Search, asked over its REST API."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from countersign.platform.own_identity import NoToken, token_for
from countersign.retrieval.errors import PlaceAway
from countersign.retrieval.finder import Hit
from countersign.retrieval.service import ask, entries, text

API_VERSION = "2024-07-01"

_OPERATORS = re.compile(r"[+|\"()'\\*~?-]")
"""Of the simple query syntax: a query here is words and nothing else.
https://learn.microsoft.com/azure/search/query-simple-syntax"""

Token = Callable[[], Awaitable[str]]

SEARCH = "https://search.azure.com/.default"
"""What a token of the app's own identity has to be for."""


async def search_token() -> str:
    """Return a token for Azure AI Search.

    Raises:
        PlaceAway: the identity can't be had now.
    """
    try:
        return await token_for(SEARCH)
    except NoToken:
        raise PlaceAway("the app's own identity is unavailable") from None


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchIndex:
    """Which index, and what its fields are called.

    Attributes:
        url: the service's address, such as https://name.search.windows.net.
        index: the index's name.
        key: a query key; nothing where the app's own identity asks.
        fields: the index's names for `key`, `title`, `text` and, if it has one, `url`.
    """

    url: str
    index: str
    key: str = field(repr=False)
    fields: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class AzureSearch:
    """Its search (https://learn.microsoft.com/rest/api/searchservice/documents/search-post).

    Attributes:
        index: what is searched.
        token: what the app's own identity is known by, where there is no key; may raise PlaceAway.
    """

    index: SearchIndex
    token: Token
    name: str = "Azure AI Search"
    service: str = "Azure AI Search"
    place: str = "azure_search"

    async def find(self, query: str, limit: int) -> list[Hit]:
        """Return the documents that fit best, with their texts; raises PlaceAway."""
        words = " ".join(_OPERATORS.sub(" ", query).split())
        if not words:
            return []
        index = self.index
        said = await ask(
            "POST",
            f"{index.url.rstrip('/')}/indexes/{index.index}/docs/search",
            params={"api-version": API_VERSION},
            headers=await self._headers(),
            json={"search": words, "top": limit, "select": ",".join(index.fields.values())},
        )
        hits = (_hit(each, index.fields) for each in entries(said, "value"))
        return [hit for hit in hits if hit.key and hit.text][:limit]

    async def _headers(self) -> dict[str, str]:
        if self.index.key:
            return {"api-key": self.index.key}
        return {"Authorization": f"Bearer {await self.token()}"}


def _hit(document: Mapping[str, Any], fields: Mapping[str, str]) -> Hit:
    said = {part: text(document, name) for part, name in fields.items()}
    return Hit(
        key=said["key"], title=said["title"], text=said["text"], address=said.get("url") or None
    )
