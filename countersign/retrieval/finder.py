"""The port of searches: whatever finds sources for a query stands behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """What a search has found: a text, or an address where one can be fetched.

    Attributes:
        key: what tells it apart among all that this search finds.
        title: what it is called there; it may be nothing.
        address: where it is, or where its service says that it is.
        text: what it says, where the service hands that over.
    """

    key: str
    title: str
    address: str | None = None
    text: str | None = None


class Finder(Protocol):
    """A search, wherever it runs."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def service(self) -> str:
        """Who people are told has found it; nothing where nobody had to search."""
        ...

    @property
    def place(self) -> str:
        """The word that requests have for it; the ids of its sources begin with it."""
        ...

    async def find(self, query: str, limit: int) -> list[Hit]:
        """Return at most `limit` hits for a query, best first; no hits are no error.

        Raises:
            PlaceAway: the service can't be asked, or gives an answer that can't be read.
        """
        ...
