"""Our own checkpoint storage: JSON files in a folder that is nobody else's."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import datetime
from pathlib import Path

from agent_framework import WorkflowCheckpoint

from countersign.graph.encoding import from_json, to_json
from countersign.graph.errors import DamagedCheckpoint, MissingCheckpoint
from countersign.graph.private_folder import make_private
from countersign.stores.whole_file import WholeFiles

_ID = re.compile(r"[A-Za-z0-9-]{1,64}")


class JsonCheckpoints:
    """A `CheckpointStorage` of the framework's protocol, with no pickle anywhere.

    A file is whole or absent, whatever is killed while it is written, and one that can't be read is
    named, never passed over.

    Args:
        folder: where they are, one file each; made for its owner alone.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = make_private(folder)
        self._files = WholeFiles(folder)

    async def save(self, checkpoint: WorkflowCheckpoint) -> str:
        """Store a checkpoint; returns its id.

        Raises:
            NotJson: something in it is no plain JSON.
            OSError: it can't be written.
        """
        text = json.dumps(to_json(checkpoint), allow_nan=False, indent=1)
        file = self._file(checkpoint.checkpoint_id)
        await asyncio.to_thread(self._files.replace, file, text.encode("utf-8"))
        return checkpoint.checkpoint_id

    async def load(self, checkpoint_id: str) -> WorkflowCheckpoint:
        """A copy of a checkpoint.

        Raises:
            MissingCheckpoint: there is none with this id.
            DamagedCheckpoint: the file holds none.
        """
        file = self._file(checkpoint_id)
        try:
            return from_json(json.loads(await asyncio.to_thread(file.read_bytes)))
        except FileNotFoundError:
            raise MissingCheckpoint(f"{file} is missing") from None
        except (DamagedCheckpoint, ValueError, RecursionError) as error:
            raise DamagedCheckpoint(f"{file} contains no checkpoint: {error}") from error

    async def list_checkpoints(self, *, workflow_name: str) -> list[WorkflowCheckpoint]:
        """Copies of all checkpoints of a workflow.

        Raises:
            DamagedCheckpoint: a file holds none.
        """
        every = [await self.load(file.stem) for file in sorted(self.folder.glob("*.json"))]
        return [each for each in every if each.workflow_name == workflow_name]

    async def list_checkpoint_ids(self, *, workflow_name: str) -> list[str]:
        """The ids of all checkpoints of a workflow."""
        every = await self.list_checkpoints(workflow_name=workflow_name)
        return [each.checkpoint_id for each in every]

    async def get_latest(self, *, workflow_name: str) -> WorkflowCheckpoint | None:
        """The newest checkpoint of a workflow by its time, None if there is none."""
        every = await self.list_checkpoints(workflow_name=workflow_name)
        return max(every, key=lambda each: datetime.fromisoformat(each.timestamp), default=None)

    async def delete(self, checkpoint_id: str) -> bool:
        """Delete a checkpoint; says whether there was one."""
        file = self._file(checkpoint_id)
        there = file.exists()
        await asyncio.to_thread(file.unlink, missing_ok=True)
        return there

    def _file(self, checkpoint_id: str) -> Path:
        if not _ID.fullmatch(checkpoint_id):
            raise MissingCheckpoint(f"{checkpoint_id!r} is not a checkpoint id")
        return self.folder / f"{checkpoint_id}.json"
