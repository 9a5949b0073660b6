from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from devhost.durable.snapshot import Snapshot
from devhost.engine.admission import new_instance
from devhost.engine.snapshots import Snapshots
from devhost.state.store import Store


@pytest.mark.parametrize("field", ["input", "output", "custom_status"])
async def test_what_is_kept_is_bounded_by_all_its_texts(tmp_path: Path, field: str) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    snapshots = Snapshots(store, limit=10_000)
    made, _ = new_instance(id="", name="o", version="", input=None, now=datetime.now(timezone.utc))
    for id in ("one", "two"):
        snapshots.put(Snapshot(replace(made, id=id, **{field: "x" * 6_000})))
    # The store has neither: what isn't kept is gone.
    assert await snapshots.get("one") is None
    assert await snapshots.get("two") is not None
    await store.close()
