"""What is kept about each person's passkeys, in memory."""

from __future__ import annotations

from collections.abc import Sequence


class MemoryPasskeys:
    """A `PasskeyStore` that lasts as long as its process."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], str] = {}

    async def get(self, tenant: str, person: str) -> tuple[str, str]:
        """Return a person's text, and what stands for its present state."""
        text = self._kept.get((tenant, person), "")
        return text, text

    async def put(self, tenant: str, person: str, text: str, before: str) -> bool:
        """Write it in place of the state that `before` stands for; False if that has changed."""
        if self._kept.get((tenant, person), "") != before:
            return False
        self._kept[tenant, person] = text
        return True

    async def people(self, tenant: str) -> Sequence[tuple[str, str]]:
        """Return all people of a tenant who have a text, each with it."""
        return sorted((each[1], text) for each, text in self._kept.items() if each[0] == tenant)

    async def delete(self, tenant: str, person: str) -> None:
        """Delete a person's text."""
        self._kept.pop((tenant, person), None)
