"""The framework's own form of a checkpoint: JSON with pickles of its classes."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Collection
from pathlib import Path

from agent_framework import FileCheckpointStorage, WorkflowCheckpoint
from agent_framework.exceptions import WorkflowCheckpointException

NAME = "checkpoint"


class FrameworkCodec:
    """Has the framework write and read one file at a time, in a folder that nobody else can see.

    What it reads there are bytes that were compared before, not what lies in the checkpoints'
    folder by then.

    Args:
        allowed_types: more types that may be unpickled; the graph needs none.
    """

    def __init__(self, allowed_types: Collection[str] = ()) -> None:
        self._allowed = list(allowed_types)

    async def encode(self, checkpoint: WorkflowCheckpoint) -> bytes:
        """Return a checkpoint's bytes; raises WorkflowCheckpointException for other types."""
        with tempfile.TemporaryDirectory() as folder:
            name = await self._storage(folder).save(checkpoint)
            return await asyncio.to_thread((Path(folder) / f"{name}.json").read_bytes)

    async def decode(self, data: bytes) -> WorkflowCheckpoint:
        """Return the checkpoint that these bytes were made of.

        Raises:
            ValueError: they are none.
        """
        with tempfile.TemporaryDirectory() as folder:
            await asyncio.to_thread((Path(folder) / f"{NAME}.json").write_bytes, data)
            try:
                return await self._storage(folder).load(NAME)
            except WorkflowCheckpointException as error:
                raise ValueError(str(error)) from error

    def _storage(self, folder: str) -> FileCheckpointStorage:
        return FileCheckpointStorage(folder, allowed_checkpoint_types=self._allowed)
