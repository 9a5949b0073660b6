"""Artifacts that are remote, of which those used last are kept in memory: they never change."""

from __future__ import annotations

from countersign.platform.recent import Recent
from countersign.stores.artifacts import Artifacts

_MOST_BYTES = 16_000_000
_MOST_REFERENCES = 10_000


class CachedArtifacts:
    """`Artifacts` of which each is read once, as long as it is remembered.

    Args:
        stored: those that are kept for good.
    """

    def __init__(self, stored: Artifacts) -> None:
        self._stored = stored
        self._bytes: Recent[tuple[str, str], bytes] = Recent(_MOST_BYTES)
        self._references: Recent[tuple[str, str], str] = Recent(_MOST_REFERENCES)

    async def put(self, tenant: str, data: bytes) -> str:
        """Store bytes durably; returns their reference."""
        reference = await self._stored.put(tenant, data)
        self._bytes.put((tenant, reference), data, len(data))
        return reference

    async def get(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference; see `Artifacts` for what it raises."""
        data = self._bytes.get((tenant, reference))
        if data is None:
            data = await self.get_stored(tenant, reference)
        return data

    async def get_stored(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference as they are stored now; raises as `get` does."""
        data = await self._stored.get_stored(tenant, reference)
        self._bytes.put((tenant, reference), data, len(data))
        return data

    async def remember(self, tenant: str, key: str, reference: str) -> str:
        """Keep which artifact a piece of work produced; the first stands and is returned."""
        first = await self._stored.remember(tenant, key, reference)
        self._references.put((tenant, key), first)
        return first

    async def recall(self, tenant: str, key: str) -> str | None:
        """Return the reference kept for that key, None if there is none."""
        reference = self._references.get((tenant, key)) or await self._stored.recall(tenant, key)
        if reference is not None:
            self._references.put((tenant, key), reference)
        return reference

    async def erase(self, shelf: str) -> None:
        """Erase all that is stored as this shelf's; whatever is in memory is forgotten."""
        await self._stored.erase(shelf)
        self._bytes, self._references = Recent(_MOST_BYTES), Recent(_MOST_REFERENCES)
