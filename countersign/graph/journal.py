"""Which checkpoints an operation saved, in order: kept apart from the checkpoints themselves.

An entry is an artifact, and its place in the order is taken once and for ever, as a result is. So
whoever can write into a folder of checkpoints can still not make one count.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from countersign.approvals.digest import canonical, sha256
from countersign.stores.artifacts import ArtifactError, Artifacts


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalEntry:
    """One checkpoint that was about to be saved, or, with a `digest`, that was.

    Attributes:
        checkpoint_id: empty where the entry can't be read any more.
        digest: what was saved.
        store: the kind of the store that it was saved in.
    """

    checkpoint_id: str
    digest: str | None = None
    store: str = ""


LOST = JournalEntry(checkpoint_id="")
"""Stands for an entry that can't be read any more: its place stays taken."""


class Journal:
    """The checkpoints of one operation of one tenant, all three recorded together.

    Processes that write at once take different places.
    """

    def __init__(self, artifacts: Artifacts, tenant: str, operation_id: str) -> None:
        self.tenant, self.operation_id = tenant, operation_id
        self._artifacts = artifacts
        self._read: list[JournalEntry] = []

    async def entries(self) -> Sequence[JournalEntry]:
        """All entries, the oldest first, with `LOST` for each that is missing or damaged."""
        while reference := await self._artifacts.recall(self.tenant, self._place()):
            self._read.append(await self._entry(reference))
        return self._read

    async def begin(self, checkpoint_id: str) -> None:
        """Note that a checkpoint is about to be saved; it doesn't count yet."""
        await self._append(JournalEntry(checkpoint_id=checkpoint_id))

    async def seal(self, checkpoint_id: str, digest: str, store: str) -> None:
        """Note that a checkpoint was saved, as this, in a store of this kind."""
        await self._append(JournalEntry(checkpoint_id=checkpoint_id, digest=digest, store=store))

    async def _append(self, entry: JournalEntry) -> None:
        stored = canonical(
            {
                "tenant": self.tenant,
                "operation": self.operation_id,
                "checkpoint": entry.checkpoint_id,
                "digest": entry.digest,
                "store": entry.store,
            }
        )
        reference = await self._artifacts.put(self.tenant, stored)
        taken = None
        while taken != reference:
            await self.entries()
            taken = await self._artifacts.remember(self.tenant, self._place(), reference)
            self._read.append(await self._entry(taken))

    def _place(self) -> str:
        parts = ["checkpoint", self.tenant, self.operation_id, len(self._read)]
        return sha256(canonical(parts))

    async def _entry(self, reference: str) -> JournalEntry:
        try:
            stored = json.loads(await self._artifacts.get(self.tenant, reference))
            return JournalEntry(
                checkpoint_id=stored["checkpoint"], digest=stored["digest"], store=stored["store"]
            )
        except (ArtifactError, KeyError):  # the latter by another release
            return LOST
