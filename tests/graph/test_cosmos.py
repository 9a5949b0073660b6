"""Checkpoints in Azure Cosmos DB, through the framework's own storage and the real client."""

from __future__ import annotations

import os
from typing import Any

import pytest
from azure.identity.aio import DefaultAzureCredential

from countersign.graph.checkpoint_stores import COSMOS_KEYS
from countersign.graph.cosmos import cosmos_storage
from countersign.graph.errors import StrangeCheckpoint
from countersign.graph.self_test import self_test

ADDRESS = "COUNTERSIGN_TEST_COSMOS"
HOW = (
    "npm install @vercel/cosmosdb-server@1.0.1,"
    " npx cosmosdb-server --host localhost --port 38081,"
    f" then set {ADDRESS}=https://localhost:38081"
)
EMULATORS_KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DEt2n/XbIJWXeG=="
"""The emulators take any key of this form."""


@pytest.fixture
def cosmos(home: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("AZURE_COSMOS_ENDPOINT", os.environ[ADDRESS])
    monkeypatch.setenv("AZURE_COSMOS_DATABASE_NAME", "countersign")
    monkeypatch.setenv("AZURE_COSMOS_CONTAINER_NAME", "checkpoints")
    monkeypatch.setenv("AZURE_COSMOS_KEY", EMULATORS_KEY)
    return home


async def test_the_apps_own_identity_is_let_go_of_with_the_store(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[str] = []

    class Identity(DefaultAzureCredential):
        async def close(self) -> None:
            await super().close()
            closed.append("identity")

    monkeypatch.setattr("countersign.graph.cosmos.DefaultAzureCredential", Identity)
    named: dict[str, str] = dict.fromkeys(map(str, COSMOS_KEYS), "https://localhost:38081")
    await cosmos_storage(named, ()).close()
    assert closed == ["identity"]


@pytest.mark.skipif(ADDRESS not in os.environ, reason=f"needs an emulator: {HOW}")
async def test_a_report_waits_there_and_goes_on(cosmos: Any) -> None:
    first = cosmos.engine("cosmos")
    await self_test(first.stores)
    operation, other = [await first.start(cosmos.rita, cosmos.research()) for _ in range(2)]
    rest = await first.run(cosmos.tenant, operation.id)
    pause = await first.run(cosmos.tenant, other.id)
    await first.stores.close()
    await cosmos.decide(rest)
    second = cosmos.engine("cosmos")
    theirs = await second.stores.of(cosmos.tenant, other.id).list_checkpoint_ids(workflow_name="")
    with pytest.raises(StrangeCheckpoint):
        await second.resume(cosmos.tenant, operation.id, theirs[-1])
    done = await second.resume(cosmos.tenant, operation.id)
    assert done.operation.closed
    assert done.operation.closed.outcome == "published"
    assert (await second.resume(cosmos.tenant, other.id)).request_id == pause.request_id
    await second.stores.close()
