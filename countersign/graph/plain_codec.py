"""Our own form of a checkpoint: plain JSON, with no pickle anywhere."""

from __future__ import annotations

import json

from agent_framework import WorkflowCheckpoint

from countersign.graph.encoding import from_json, to_json


class PlainCodec:
    """Writes and reads what `encoding` makes of a checkpoint."""

    async def encode(self, checkpoint: WorkflowCheckpoint) -> bytes:
        """Return the bytes of a checkpoint.

        Raises:
            NotJson: something in it is no plain JSON.
        """
        return json.dumps(to_json(checkpoint), allow_nan=False, indent=1).encode()

    async def decode(self, data: bytes) -> WorkflowCheckpoint:
        """Return the checkpoint that these bytes were made of.

        Raises:
            DamagedCheckpoint: it is not such a document.
            ValueError: it is no JSON.
        """
        return from_json(json.loads(data))
