"""The framework's checkpoint storage in Azure Cosmos DB; imported only where it is chosen."""

# Its package is in requirements-graph.txt only.
# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from agent_framework_azure_cosmos import CosmosCheckpointStorage
from azure.identity.aio import DefaultAzureCredential


class OwnIdentityStorage(CosmosCheckpointStorage):
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


def cosmos_storage(
    environment: Mapping[str, str], allowed_types: Collection[str]
) -> CosmosCheckpointStorage:
    """The storage that the framework's `AZURE_COSMOS_` settings name.

    Whoever can write into its container can have the framework unpickle what they put there, as
    far as its allow-list lets them: keep it as closed as the ledger.

    Args:
        environment: without `AZURE_COSMOS_KEY`, the app's own identity opens it.
        allowed_types: more types that may be unpickled; the graph needs none.
    """
    settings: dict[str, Any] = {
        "endpoint": environment["AZURE_COSMOS_ENDPOINT"],
        "database_name": environment["AZURE_COSMOS_DATABASE_NAME"],
        "container_name": environment["AZURE_COSMOS_CONTAINER_NAME"],
        "allowed_checkpoint_types": list(allowed_types),
    }
    if key := environment.get("AZURE_COSMOS_KEY"):
        return CosmosCheckpointStorage(credential=key, **settings)
    return OwnIdentityStorage(DefaultAzureCredential(), **settings)
