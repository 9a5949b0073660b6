"""Whatever stands in the place of a checkpoint, it is a checkpoint or is said to be damaged."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
from collections.abc import Iterator
from typing import Any

from agent_framework import InMemoryCheckpointStorage, WorkflowCheckpoint
from hypothesis import given
from hypothesis import strategies as st

from countersign.graph.encoding import to_json
from countersign.graph.errors import DamagedCheckpoint
from countersign.graph.plain_codec import PlainCodec
from countersign.graph.self_test import NAME, asking_workflow

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
JSON: st.SearchStrategy[Any] = st.recursive(
    PLAIN | st.sampled_from(["$checkpoint", "$message", "$request", "object", "builtins:eval"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["$checkpoint", "$message", "$request"]) | st.text(max_size=4),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


async def _paused() -> WorkflowCheckpoint:
    memory = InMemoryCheckpointStorage()
    await asking_workflow(memory).run({"version": 1})
    checkpoint = await memory.get_latest(workflow_name=NAME)
    assert checkpoint
    return checkpoint


SAVED = json.loads(json.dumps(to_json(asyncio.run(_paused()))))


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every part of a JSON value, as its container and its key."""
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in list(keys):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def decoded(data: bytes) -> None:
    with contextlib.suppress(DamagedCheckpoint, ValueError, RecursionError):
        checkpoint = asyncio.run(PlainCodec().decode(data))
        assert isinstance(checkpoint, WorkflowCheckpoint)


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    decoded(data)


@given(JSON)
def test_any_json(document: Any) -> None:
    decoded(json.dumps(document).encode())


@given(st.data())
def test_a_checkpoint_with_parts_exchanged_or_gone(data: st.DataObject) -> None:
    document = copy.deepcopy(SAVED)
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(list(places(document))))
        if data.draw(st.booleans()):
            container[key] = data.draw(JSON)
        else:
            del container[key]
        if not document:
            break
    decoded(json.dumps(document).encode())


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_checkpoint_with_a_byte_changed_or_cut_off(place: int, byte: int) -> None:
    whole = json.dumps(SAVED).encode()
    at = place % len(whole)
    decoded(whole[:at] + bytes([byte]) + whole[at + 1 :])
    decoded(whole[:at])
