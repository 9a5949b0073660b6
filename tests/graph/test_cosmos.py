"""Checkpoints in Azure Cosmos DB, through the framework's connection and the real client."""

from __future__ import annotations

import base64
import json
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from azure.cosmos.aio import CosmosClient
from azure.identity.aio import DefaultAzureCredential

from countersign.graph.checkpoint_stores import COSMOS_KEYS
from countersign.graph.cosmos import cosmos_storage
from countersign.graph.errors import DamagedCheckpoint, StrangeCheckpoint
from countersign.graph.self_test import self_test
from local.errors import Missing
from testbed.cosmos import KEY, CosmosEmulator


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CosmosEmulator]:
    """One emulator for all tests here."""
    try:
        starting = CosmosEmulator(tmp_path_factory.mktemp("cosmos") / "log.txt")
    except Missing as missing:
        if os.environ.get("COUNTERSIGN_REQUIRE_COSMOS"):
            raise
        pytest.skip(str(missing))
    with starting as running:
        yield running


@pytest.fixture
def cosmos(home: Any, emulator: CosmosEmulator, monkeypatch: pytest.MonkeyPatch) -> Any:
    for name, value in emulator.settings.items():
        monkeypatch.setenv(name, value)
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
    await cosmos_storage(named).close()
    assert closed == ["identity"]


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


class Trap:
    """Leaves a mark wherever it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("where", ["beside", "inside"])
async def test_what_somebody_else_wrote_into_the_container_is_neither_run_nor_gone_on_from(
    cosmos: Any, emulator: CosmosEmulator, tmp_path: Path, where: str
) -> None:
    engine = cosmos.engine("cosmos")
    operation = await engine.start(cosmos.rita, cosmos.research())
    await engine.run(cosmos.tenant, operation.id)
    packed = base64.b64encode(pickle.dumps(Trap(tmp_path / "mark"))).decode()
    trap = {"__pickled__": packed, "__type__": "pathlib:Path"}
    async with CosmosClient(emulator.endpoint, KEY) as client:
        container = client.get_database_client("countersign").get_container_client("checkpoints")
        query = "SELECT * FROM c WHERE c.workflow_name = @name"
        parameters: list[dict[str, object]] = [{"name": "@name", "value": f"report-{operation.id}"}]
        found = [each async for each in container.query_items(query, parameters=parameters)]
        assert found
        for document in found:
            planted = {"state": trap} if where == "beside" else {"content": json.dumps(trap)}
            changed = {**document, **planted}
            if where == "beside":
                del changed["content"]
            await container.upsert_item(changed)
    with pytest.raises(DamagedCheckpoint):
        await engine.resume(cosmos.tenant, operation.id)
    assert not (tmp_path / "mark").exists()
    await engine.stores.close()
