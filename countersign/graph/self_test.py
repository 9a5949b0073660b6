"""A pending question is saved and loaded before a store is trusted with one that matters.

A store that can't hold it would not fail the run: the framework logs a warning and goes on without
a checkpoint, and an older one would be gone on from later.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable
from typing import Any

from agent_framework import (
    CheckpointStorage,
    Executor,
    InMemoryCheckpointStorage,
    Workflow,
    WorkflowBuilder,
    WorkflowCheckpoint,
    WorkflowContext,
    WorkflowExecutor,
    handler,
    response_handler,
)

from countersign.graph.checkpoint_files import CheckpointFiles
from countersign.graph.checkpoint_stores import CheckpointStores
from countersign.graph.encoding import to_json
from countersign.graph.errors import StoreUnfit

NAME = "self-test"


class Asking(Executor):
    """Asks as the gate does, and waits for ever."""

    def __init__(self) -> None:
        super().__init__(id="asking")

    @handler
    async def ask(self, message: dict[str, Any], ctx: WorkflowContext) -> None:
        """Put the question."""
        await ctx.request_info(message, object, request_id=f"{NAME}-1")

    @response_handler(request=dict, response=object)
    async def hear(
        self, original_request: dict[str, Any], response: object, ctx: WorkflowContext
    ) -> None:
        """Hear nothing: nobody answers a test."""


def asking_workflow(storage: CheckpointStorage) -> Workflow:
    """Return a graph of what ours is made of: a question, in a workflow inside of another."""
    inner = WorkflowBuilder(name=NAME, start_executor=Asking()).build()
    outer = WorkflowExecutor(inner, id="nested", propagate_request=True)
    return WorkflowBuilder(name=NAME, start_executor=outer, checkpoint_storage=storage).build()


async def self_test(
    stores: CheckpointStores,
    make_workflow: Callable[[CheckpointStorage], Workflow] = asking_workflow,
) -> None:
    """Have the store of an operation that nobody has save a pending question and give it back.

    Raises:
        StoreUnfit: it doesn't; the message says why.
    """
    checkpoint = await _paused(make_workflow)
    name = f"{NAME}-{uuid.uuid4().hex[:8]}"
    saving, loading = (stores.unsealed(NAME, name) for _ in range(2))
    try:
        await saving.save(checkpoint)
        loaded = await loading.load(checkpoint.checkpoint_id)
        await loading.delete(checkpoint.checkpoint_id)
        same = to_json(loaded) == to_json(checkpoint)
    except Exception as error:  # each storage has errors of its own, and every one is the answer
        raise _unfit(stores, f"{type(error).__name__}: {error}") from error
    finally:
        if isinstance(saving, CheckpointFiles):
            shutil.rmtree(saving.folder, ignore_errors=True)
    if not same:
        raise _unfit(stores, "it returned something else")


async def _paused(make_workflow: Callable[[CheckpointStorage], Workflow]) -> WorkflowCheckpoint:
    memory = InMemoryCheckpointStorage()
    await make_workflow(memory).run({"question": NAME, "version": 1})
    checkpoint = await memory.get_latest(workflow_name=NAME)
    if checkpoint is None or not checkpoint.pending_request_info_events:
        raise StoreUnfit("the self-test's graph did not stop at its question")
    return checkpoint


def _unfit(stores: CheckpointStores, why: str) -> StoreUnfit:
    return StoreUnfit(f"the {stores.choice.kind} store cannot save a pending question: {why}")
