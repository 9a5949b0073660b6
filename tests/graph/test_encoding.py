"""A checkpoint is JSON and comes back as it was; anything else is refused where it is saved."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from agent_framework import (
    InMemoryCheckpointStorage,
    WorkflowCheckpoint,
    WorkflowEvent,
    WorkflowMessage,
)

from countersign.graph.encoding import from_json, to_json
from countersign.graph.errors import DamagedCheckpoint, NotJson
from countersign.graph.self_test import NAME, asking_workflow


@dataclass
class Verdict:
    approved: bool


async def paused() -> WorkflowCheckpoint:
    memory = InMemoryCheckpointStorage()
    await asking_workflow(memory).run({"version": 1})
    checkpoint = await memory.get_latest(workflow_name=NAME)
    assert checkpoint
    return checkpoint


async def test_a_pause_in_a_nested_workflow_comes_back_as_it_was() -> None:
    checkpoint = await paused()
    document = json.loads(json.dumps(to_json(checkpoint)))
    restored = from_json(document)
    assert to_json(restored) == document
    [event] = restored.pending_request_info_events.values()
    assert (event.request_id, event.data, event.response_type) == (
        f"{NAME}-1",
        {"version": 1},
        object,
    )
    nested = restored.state["_executor_state"]["nested"]["sub_workflow_checkpoint"]
    assert isinstance(nested, WorkflowCheckpoint)


@pytest.mark.parametrize(
    "value",
    [
        Verdict(approved=True),  # what the framework would pickle
        {"deep": [{"in": Verdict(approved=True)}]},
        (1, 2),
        {1, 2},
        b"bytes",
        Decimal(1),
        float("nan"),
        float("inf"),
        {1: "a key that is no text"},
        {"$message": "one that the encoding uses itself"},
        True.__class__,
        print,
    ],
)
async def test_what_is_no_plain_json_is_refused_with_its_place(value: Any) -> None:
    checkpoint = await paused()
    checkpoint.state["ours"] = value
    with pytest.raises(NotJson, match=r"state\['ours'\].*only plain JSON") as refused:
        to_json(checkpoint)
    assert "ours" in refused.value.where


async def test_a_message_on_its_way_is_held_to_the_same() -> None:
    checkpoint = await paused()
    checkpoint.messages["gate"] = [WorkflowMessage(data=Verdict(approved=True), source_id="gate")]
    with pytest.raises(NotJson, match=r"messages\['gate'\]\.data is a .*Verdict"):
        to_json(checkpoint)


@pytest.mark.parametrize("kind", [int | None, list[str], Verdict])
async def test_an_answer_of_another_type_is_refused_where_it_is_saved(kind: Any) -> None:
    checkpoint = await paused()
    checkpoint.pending_request_info_events["one"] = WorkflowEvent.request_info(
        request_id="one", source_executor_id="gate", request_data={}, response_type=kind
    )
    with pytest.raises(NotJson, match=r"the response type of .*only plain JSON"):
        to_json(checkpoint)


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"format": 2},
        {"format": 1},
        {"__pickled__": "gASVCgAAAAAAAACMBnN5c3RlbZQu", "__type__": "x"},
        "text",
    ],
)
def test_what_is_no_checkpoint_is_damaged(document: Any) -> None:
    with pytest.raises(DamagedCheckpoint):
        from_json(document)


async def test_a_response_type_is_found_by_name_among_a_few_and_never_imported() -> None:
    document = to_json(await paused())
    for event in document["pending"].values():
        event["response_type"] = "os:system"
    with pytest.raises(DamagedCheckpoint):
        from_json(document)
