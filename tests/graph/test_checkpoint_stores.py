"""A store of checkpoints is chosen by a setting, and proves that it can keep a question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from agent_framework import (
    CheckpointStorage,
    Executor,
    Workflow,
    WorkflowBuilder,
    WorkflowContext,
    handler,
    response_handler,
)

from countersign.graph.checkpoint_files import CheckpointFiles
from countersign.graph.checkpoint_stores import (
    CheckpointStores,
    StoreChoice,
    StoreKind,
    choose_store,
)
from countersign.graph.errors import (
    CheckpointError,
    DamagedCheckpoint,
    MissingCheckpoint,
    NotConfigured,
    StoreUnfit,
)
from countersign.graph.self_test import NAME, asking_workflow, self_test

FOLDERS: list[StoreKind] = ["json", "file"]


@dataclass
class Verdict:
    """What somebody might want an answer to be."""

    approved: bool


class AskingForVerdict(Executor):
    """A question as the framework's samples put it: with classes of one's own."""

    @handler
    async def ask(self, order: dict[str, Any], ctx: WorkflowContext) -> None:
        await ctx.request_info(Verdict(approved=False), Verdict, request_id=f"{NAME}-1")

    @response_handler
    async def hear(
        self, original_request: Verdict, response: Verdict, ctx: WorkflowContext
    ) -> None: ...


def asking_for_verdict(storage: CheckpointStorage) -> Workflow:
    start = AskingForVerdict(id="asking")
    return WorkflowBuilder(name=NAME, start_executor=start, checkpoint_storage=storage).build()


@pytest.mark.parametrize("kind", [*FOLDERS, "memory"])
async def test_the_self_test_passes_and_leaves_nothing(home: Any, kind: StoreKind) -> None:
    stores = CheckpointStores(StoreChoice(kind=kind), home.folder, home.app.artifacts)
    await self_test(stores)
    assert [file for file in home.folder.rglob("*") if file.is_file()] == []


@pytest.mark.parametrize("kind", FOLDERS)
async def test_the_self_test_fails_loudly_where_a_type_is_not_allowed(
    home: Any, kind: StoreKind
) -> None:
    stores = CheckpointStores(StoreChoice(kind=kind), home.folder, home.app.artifacts)
    with pytest.raises(
        StoreUnfit, match=r"cannot save a pending question: .*Verdict|allowed types"
    ):
        await self_test(stores, asking_for_verdict)


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"COUNTERSIGN_GRAPH_CHECKPOINTS": "redis"}, "'redis', not one of json, file"),
        ({"COUNTERSIGN_GRAPH_CHECKPOINTS": "cosmos"}, "missing: AZURE_COSMOS_ENDPOINT, AZURE_"),
    ],
)
def test_a_store_that_is_not_configured_is_said_to_be(
    environment: dict[str, str], says: str
) -> None:
    with pytest.raises(NotConfigured, match=says):
        choose_store(environment)


def test_our_own_store_is_the_default() -> None:
    assert choose_store({}) == StoreChoice(kind="json")


async def test_our_own_store_does_what_the_frameworks_protocol_asks(tmp_path: Path) -> None:
    store = CheckpointFiles(tmp_path / "own")
    await asking_workflow(store).run({"version": 1})
    ids = await store.list_checkpoint_ids(workflow_name=NAME)
    latest = await store.get_latest(workflow_name=NAME)
    assert latest
    assert latest.checkpoint_id in ids
    assert list(latest.pending_request_info_events) == [f"{NAME}-1"]
    assert await store.list_checkpoints(workflow_name="another") == []
    assert await store.delete(latest.checkpoint_id)
    assert not await store.delete(latest.checkpoint_id)
    for name in (latest.checkpoint_id, "../elsewhere", "no-such"):
        with pytest.raises(MissingCheckpoint):
            await store.load(name)
    (store.folder / "other.json").write_text("{")
    with pytest.raises(DamagedCheckpoint, match=r"other\.json"):
        await store.get_latest(workflow_name=NAME)


async def test_a_checkpoint_that_cant_be_saved_stops_the_graph_before_the_next_step(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "countersign.graph.research.about", lambda *_, **__: {"what": Verdict(True)}
    )
    engine = home.engine()
    operation = await engine.start(home.rita, home.research())
    with pytest.raises(CheckpointError, match=r"Verdict, but a checkpoint accepts only plain JSON"):
        await engine.run(home.tenant, operation.id)
    assert "WorkDone" not in {
        name for name, data in await home.history(operation.id) if data.get("step") == "check:0"
    }
