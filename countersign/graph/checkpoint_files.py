"""Checkpoints as files in a folder that is nobody else's: read once, bounded, and then decoded."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from pathlib import Path
from typing import Protocol

from agent_framework import WorkflowCheckpoint

from countersign.graph.errors import DamagedCheckpoint, MissingCheckpoint
from countersign.graph.plain_codec import PlainCodec
from countersign.graph.private_folder import NotAFile, TooLarge, make_private, read_private
from countersign.stores.whole_file import WholeFiles

MOST_BYTES = 64 * 1024 * 1024
"""Of one checkpoint; those of a report have some kilobytes."""

_ID = re.compile(r"[A-Za-z0-9-]{1,64}")


class Codec(Protocol):
    """How a checkpoint becomes the bytes of a file, and one again."""

    async def encode(self, checkpoint: WorkflowCheckpoint) -> bytes:
        """Return the bytes of a checkpoint; raises CheckpointError if it can't be kept."""
        ...

    async def decode(self, data: bytes) -> WorkflowCheckpoint:
        """Return the checkpoint in these bytes; raises ValueError if there is none."""
        ...


class CheckpointFiles:
    """A `CheckpointStorage` of the framework's protocol.

    A file is whole or absent, whatever is killed while it is written, and one that can't be read is
    named, never passed over.

    Args:
        folder: where they are, one file each; made for its owner alone.
        codec: what is in them; our own plain JSON if none is named.
    """

    def __init__(self, folder: Path, codec: Codec | None = None) -> None:
        self.folder = make_private(folder)
        self.codec: Codec = codec or PlainCodec()
        self._files = WholeFiles(folder)

    async def write(self, checkpoint_id: str, data: bytes) -> None:
        """Put these bytes into a checkpoint's file; raises OSError."""
        await asyncio.to_thread(self._files.replace, self.file(checkpoint_id), data)

    async def read(self, checkpoint_id: str) -> bytes:
        """Return the bytes of a checkpoint's file, read once; a link is not followed.

        Raises:
            MissingCheckpoint: there is none with this id.
            DamagedCheckpoint: there is something else in its place, or far too much in it.
            OSError: it can't be read.
        """
        file = self.file(checkpoint_id)
        try:
            return await asyncio.to_thread(read_private, file, MOST_BYTES)
        except FileNotFoundError:
            raise MissingCheckpoint(f"{file} is missing") from None
        except (NotAFile, TooLarge) as error:
            raise DamagedCheckpoint(f"{file} {error}") from error

    async def decode(self, checkpoint_id: str, data: bytes) -> WorkflowCheckpoint:
        """Return the checkpoint that bytes of its file are.

        Raises:
            DamagedCheckpoint: they are none.
        """
        try:
            return await self.codec.decode(data)
        except (DamagedCheckpoint, ValueError, RecursionError) as error:
            file = self.file(checkpoint_id)
            raise DamagedCheckpoint(f"{file} contains no checkpoint: {error}") from error

    async def save(self, checkpoint: WorkflowCheckpoint) -> str:
        """Store a checkpoint; returns its id; raises as the codec does, or OSError."""
        await self.write(checkpoint.checkpoint_id, await self.codec.encode(checkpoint))
        return checkpoint.checkpoint_id

    async def load(self, checkpoint_id: str) -> WorkflowCheckpoint:
        """Return a copy of a checkpoint; raises as `read` and `decode` do."""
        return await self.decode(checkpoint_id, await self.read(checkpoint_id))

    async def list_checkpoints(self, *, workflow_name: str) -> list[WorkflowCheckpoint]:
        """Return copies of all checkpoints of a workflow.

        Raises:
            DamagedCheckpoint: a file holds none.
        """
        every = [await self.load(file.stem) for file in sorted(self.folder.glob("*.json"))]
        return [each for each in every if each.workflow_name == workflow_name]

    async def list_checkpoint_ids(self, *, workflow_name: str) -> list[str]:
        """Return the ids of all checkpoints of a workflow."""
        every = await self.list_checkpoints(workflow_name=workflow_name)
        return [each.checkpoint_id for each in every]

    async def get_latest(self, *, workflow_name: str) -> WorkflowCheckpoint | None:
        """Return the newest checkpoint of a workflow by its time, None if there is none."""
        every = await self.list_checkpoints(workflow_name=workflow_name)
        return max(every, key=lambda each: datetime.fromisoformat(each.timestamp), default=None)

    async def delete(self, checkpoint_id: str) -> bool:
        """Delete a checkpoint; says whether there was one."""
        file = self.file(checkpoint_id)
        there = file.exists()
        await asyncio.to_thread(file.unlink, missing_ok=True)
        return there

    def file(self, checkpoint_id: str) -> Path:
        """Return where a checkpoint is.

        Raises:
            MissingCheckpoint: none can have this id.
        """
        if not _ID.fullmatch(checkpoint_id):
            raise MissingCheckpoint(f"{checkpoint_id!r} is not a checkpoint id")
        return self.folder / f"{checkpoint_id}.json"
