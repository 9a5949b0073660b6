from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

from devhost.durable.instance import Child, Parent
from devhost.engine.admission import Admission, new_instance
from devhost.state.statements import put_instance
from devhost.state.store import Store
from devhost.time.clock import SystemClock

PARENT = Parent(id="p", execution="e", task=0, name="o")


def child(id: str) -> Child:
    return Child(id=id, name="o", version="", input="1", parent=PARENT, explicit=True)


async def test_a_reservation_whose_look_fails_keeps_nobody_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    admission = Admission(store, SystemClock())
    await store.close()
    for _ in range(2):
        # The second one would be told that the first had the id.
        with pytest.raises(sqlite3.ProgrammingError):
            await admission.reserve("one")


async def test_children_whose_preparation_is_given_up_keep_nobody_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    admission = Admission(store, SystemClock())

    def broken_off() -> Iterator[Child]:
        yield child("one")
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await admission.prepare(broken_off())
    assert await admission.reserve("one") == []
    await store.close()


@pytest.mark.parametrize("parent", [None, PARENT])
async def test_a_child_whose_id_is_taken_waits_for_the_turn_of_the_other(
    tmp_path: Path, parent: Parent | None
) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    now = datetime.now(timezone.utc)
    older, _ = new_instance(id="one", name="o", version=None, input="1", now=now, parent=parent)
    await store.commit([put_instance(older)])
    prepared = await Admission(store, SystemClock()).prepare([child("one"), child("two")])
    assert [instance.id for instance, _ in prepared.starts] == ["two"]
    assert [instance for instance, _ in prepared.successions] == ["one"]
    await store.close()
