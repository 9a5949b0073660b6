"""The port of which task hub serves a storage: one at a time, until somebody says otherwise."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from countersign.platform.skew import Skew


class ServingStore(Protocol):
    """Keeps the name of the one hub whose orchestrations work on this storage.

    It has no end by itself: what one hub has begun is still there however long it was silent. Each
    method raises `StoreUnavailable` if the storage can't be used.
    """

    @property
    def skew(self) -> Skew | None:
        """Return how far this machine's clock was from the storage's at the last call.

        None if nothing was measured, or if the storage has no clock of its own.
        """
        ...

    async def claim(self, hub: str) -> str:
        """Name a hub if none is named; returns the one that is named then."""
        ...

    async def named(self) -> str | None:
        """Return the hub that is named, None if none is."""
        ...

    async def since(self) -> datetime | None:
        """Return when the hub that is named was named (UTC).

        None if none is, or if it was by a release that did not record this.
        """
        ...

    async def take_over(self, hub: str) -> str | None:
        """Name a hub in place of whichever is named; returns that one, None if none was."""
        ...
