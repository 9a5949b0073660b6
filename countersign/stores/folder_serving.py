"""Which hub serves the embedded stores, in a file beside them."""

from __future__ import annotations

import asyncio
from datetime import datetime, timezone
from pathlib import Path

from countersign.platform.skew import Skew
from countersign.stores.errors import StoreUnavailable
from countersign.stores.whole_file import WholeFiles


class FolderServing:
    """A `ServingStore` in the file `served-by` of a folder.

    Args:
        folder: where it is, or will be with its parents.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._file = folder, folder / "served-by"
        self.skew: Skew | None = None

    async def claim(self, hub: str) -> str:
        """Name a hub if none is named; returns the one that is named then."""
        return await asyncio.to_thread(self._claim, hub)

    async def named(self) -> str | None:
        """Return the hub that is named, None if none is."""
        try:
            return await asyncio.to_thread(self._named)
        except OSError as error:
            raise StoreUnavailable(f"{self._file}: {error}") from error

    async def since(self) -> datetime | None:
        """Return when the hub that is named was named (UTC), None if none is."""
        try:
            return await asyncio.to_thread(self._since)
        except OSError as error:
            raise StoreUnavailable(f"{self._file}: {error}") from error

    async def take_over(self, hub: str) -> str | None:
        """Name a hub in place of whichever is named; returns that one, None if none was."""
        return await asyncio.to_thread(self._take_over, hub)

    def _claim(self, hub: str) -> str:
        try:
            if not (there := self._named()):
                WholeFiles(self._folder).create(self._file, hub.encode())
                there = self._named()
        except OSError as error:
            raise StoreUnavailable(f"{self._file}: {error}") from error
        return there or hub

    def _take_over(self, hub: str) -> str | None:
        try:
            if (there := self._named()) != hub:
                WholeFiles(self._folder).replace(self._file, hub.encode())
        except OSError as error:
            raise StoreUnavailable(f"{self._file}: {error}") from error
        return there

    def _named(self) -> str | None:
        try:
            return self._file.read_text("utf-8", errors="replace").strip() or None
        except FileNotFoundError:
            return None

    def _since(self) -> datetime | None:
        # Nobody writes to it but to name another hub.
        try:
            return datetime.fromtimestamp(self._file.stat().st_mtime, timezone.utc)
        except FileNotFoundError:
            return None
