"""Anchors in one file that is only appended to."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from countersign.proof.anchor_place import anchor_in
from countersign.proof.anchors import Anchor, Anchors, read_anchors


class AnchorFile:
    """An `AnchorPlace` that is one file with a line for each anchor."""

    def __init__(self, file: Path) -> None:
        self._file = file

    async def tenants(self) -> Sequence[str]:
        """Return all tenants that have an anchor."""
        return sorted({tenant for tenant, _ in await asyncio.to_thread(self._anchors)})

    async def days(self, tenant: str) -> Sequence[date]:
        """Return the days of a tenant's anchors, the oldest first."""
        anchors = await asyncio.to_thread(self._anchors)
        return sorted(date.fromisoformat(day) for whose, day in anchors if whose == tenant)

    async def read(self, tenant: str, day: date) -> Anchor:
        """Return the anchor of a day."""
        return anchor_in(await asyncio.to_thread(self._anchors), tenant, day)

    async def write(self, anchor: Anchor) -> None:
        """Add a line to the end, after whatever part of one a full disk left there."""
        await asyncio.to_thread(self._append, anchor.line)

    def _anchors(self) -> Anchors:
        return read_anchors(self._text())

    def _text(self) -> str:
        return self._file.read_text("utf-8", errors="replace") if self._file.exists() else ""

    def _append(self, line: str) -> None:
        before = self._text()
        end = "\n" if before and not before.endswith("\n") else ""
        # Where a file can only be appended to, nothing else works.
        with self._file.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(end + line)
            stream.flush()
            os.fsync(stream.fileno())
