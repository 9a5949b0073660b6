"""Checkpoints in Azure Cosmos DB, as plain JSON; imported only where it is chosen.

The framework's storage pickles, and unpickles whatever lies in its container. This one uses its
connection and its queries, and neither: nothing in a document can name code.
"""

# Its package is in requirements-graph.txt only.
# pyright: reportMissingImports=false

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agent_framework import WorkflowCheckpoint
from agent_framework_azure_cosmos import CosmosCheckpointStorage
from azure.identity.aio import DefaultAzureCredential

from countersign.graph.encoding import from_json, to_json
from countersign.graph.errors import DamagedCheckpoint

CONTENT = "content"
"""The field of a document with the checkpoint's JSON, as one text: no query looks into it."""

MOST_CHARACTERS = 2_000_000
"""Of a checkpoint here; a document in Cosmos DB may have 2 MB."""


class PlainCosmosStorage(CosmosCheckpointStorage):
    """The framework's storage with documents of our own form."""

    async def save(self, checkpoint: WorkflowCheckpoint) -> str:
        """Store a checkpoint; returns its id.

        Raises:
            NotJson: something in it is no plain JSON.
        """
        plain = to_json(checkpoint)
        await self._ensure_container_proxy()
        name, checkpoint_id = checkpoint.workflow_name, checkpoint.checkpoint_id
        document = {
            # What the framework's queries look for.
            "id": self._make_document_id(name, checkpoint_id),
            "workflow_name": name,
            "checkpoint_id": checkpoint_id,
            "timestamp": checkpoint.timestamp,
            CONTENT: json.dumps(plain, allow_nan=False),
        }
        assert self._container_proxy is not None  # noqa: S101 - it was made sure of above
        await self._container_proxy.upsert_item(body=document)
        return checkpoint_id

    def _document_to_checkpoint(self, document: dict[str, Any]) -> WorkflowCheckpoint:
        content = document.get(CONTENT)
        if not isinstance(content, str) or len(content) > MOST_CHARACTERS:
            raise DamagedCheckpoint(
                f"{document.get('id')} in Cosmos DB is not one of our checkpoints"
            )
        try:
            return from_json(json.loads(content))
        except (ValueError, RecursionError) as error:
            raise DamagedCheckpoint(f"{document.get('id')} in Cosmos DB: {error}") from error


class OwnIdentityStorage(PlainCosmosStorage):
    """A storage that the app's own identity opens.

    The framework closes the client that it made, and not the credential that it was given.
    """

    def __init__(self, credential: DefaultAzureCredential, **settings: Any) -> None:
        super().__init__(credential=credential, **settings)
        self._credential = credential

    async def close(self) -> None:
        """Let go of the connections to the database and to the identity's service."""
        await super().close()
        await self._credential.close()


def cosmos_storage(environment: Mapping[str, str]) -> PlainCosmosStorage:
    """Return the storage that the framework's `AZURE_COSMOS_` settings name.

    Args:
        environment: without `AZURE_COSMOS_KEY`, the app's own identity opens it.
    """
    settings: dict[str, Any] = {
        "endpoint": environment["AZURE_COSMOS_ENDPOINT"],
        "database_name": environment["AZURE_COSMOS_DATABASE_NAME"],
        "container_name": environment["AZURE_COSMOS_CONTAINER_NAME"],
    }
    if key := environment.get("AZURE_COSMOS_KEY"):
        return PlainCosmosStorage(credential=key, **settings)
    return OwnIdentityStorage(DefaultAzureCredential(), **settings)
