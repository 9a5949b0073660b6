"""Pages that the requester named by their addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from countersign.retrieval.finder import Hit


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenPages:
    """Finds all of them, whatever is asked: which of their passages fit is told after reading.

    There are few enough of them that no limit is heeded.

    Attributes:
        addresses: where they are.
    """

    addresses: Sequence[str]
    name: str = "pages that the requester named"
    service: str = ""
    place: str = "page"

    async def find(self, query: str, limit: int) -> list[Hit]:
        """All the pages."""
        return [Hit(key=each, title="", address=each) for each in dict.fromkeys(self.addresses)]
