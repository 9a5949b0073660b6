"""A tenant has one anchor a day, wherever anchors were before and whoever else writes them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from countersign.anchors.file import AnchorFile
from countersign.approvals.ledger import Row
from countersign.proof.anchoring import keep_heads, take_heads
from countersign.proof.anchors import Heads, key_of, read_anchors
from countersign.proof.check import check
from countersign.proof.daily_anchor import Anchored, anchor_tenant
from countersign.stores.sqlite import SqliteLedger

TENANT = "contoso"


@pytest.fixture
def case(tmp_path: Path, cast: Any) -> Any:
    """An order that one of two has approved."""

    async def story() -> Any:
        case = await cast.begin(tmp_path, "purchase")
        await case.open(cast.order(quantity=2))
        return await case.decide(cast.ann)

    return asyncio.run(story())


async def anchor(case: Any, file: Path, ledger: Any = None) -> Anchored:
    """Do what the app does once a day."""
    ledger, day = ledger or case.operations.ledger, case.now.date()
    return await anchor_tenant(AnchorFile(file), ledger, case.artifacts, TENANT, day)


def confirmed(case: Any, file: Path) -> str | None:
    """Return the day of the anchor in a file that confirms a proof of now."""
    bundle = asyncio.run(case.bundle())
    return check(bundle, anchors=read_anchors(file.read_text("utf-8"))).anchored


@pytest.mark.parametrize("days", [1, 2, 5])
def test_proofs_name_the_newest_anchor_after_the_place_was_changed(
    case: Any, tmp_path: Path, days: int
) -> None:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    for file in (before, after):
        for _ in range(days):
            assert asyncio.run(anchor(case, file)).written
            assert confirmed(case, file) == case.now.date().isoformat()
            case.now += timedelta(days=1)


def test_a_place_that_is_changed_within_a_day_has_the_day_s_anchor_too(
    case: Any, tmp_path: Path
) -> None:
    files = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    for file in files:
        assert asyncio.run(anchor(case, file)).written
        assert confirmed(case, file) == case.now.date().isoformat()
    assert files[0].read_bytes() == files[1].read_bytes()


def copied(folder: Path) -> Path:
    """Return a copy of the stores as they are now."""
    copy = folder / "copy"
    copytree(folder / "artifacts", copy / "artifacts")
    with (
        closing(sqlite3.connect(folder / "countersign.db")) as now,
        closing(sqlite3.connect(copy / "countersign.db")) as then,
    ):
        now.backup(then)
    return copy


def test_after_an_older_state_was_restored_only_a_new_place_has_anchors(
    case: Any, cast: Any, tmp_path: Path
) -> None:
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    assert asyncio.run(anchor(case, old)).written
    began = case.now.date().isoformat()
    backup = copied(tmp_path)
    case.now += timedelta(days=1)
    assert asyncio.run(anchor(case, old)).written
    restored = cast.case(backup, "purchase")
    restored.now = case.now + timedelta(days=1)
    assert confirmed(restored, old) == began
    [lost] = asyncio.run(anchor(restored, old)).lost
    assert lost.endswith("are missing or have been replaced.")
    assert asyncio.run(anchor(restored, new)).written
    assert confirmed(restored, new) == restored.now.date().isoformat()


class Meanwhile:
    """A ledger in which something happens once, after it was read and before that is used."""

    def __init__(self, ledger: SqliteLedger, happens: Callable[[], Awaitable[object]]) -> None:
        self._ledger, self._happens = ledger, happens
        self._happened = False

    def operations(self, tenant: str) -> AsyncIterator[str]:
        return self._ledger.operations(tenant)

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        rows = await self._ledger.read(tenant, operation_id)
        if not self._happened:
            self._happened = True
            await self._happens()
        return rows


async def keep(case: Any) -> None:
    """Keep the heads of today, as a run that breaks off before it writes their anchor."""
    ledger, day = case.operations.ledger, case.now.date()
    heads, lost = await take_heads(ledger, [case.id], TENANT, day, None)
    assert not lost
    assert await keep_heads(case.artifacts, heads)


@pytest.mark.parametrize("complete", [True, False])
def test_two_runs_at_once_write_one_anchor_and_miss_nothing(
    case: Any, cast: Any, tmp_path: Path, complete: bool
) -> None:
    file = tmp_path / "anchors.jsonl"

    async def other_run() -> None:
        await case.decide(cast.bob)
        await (anchor(case, file) if complete else keep(case))

    done = asyncio.run(anchor(case, file, Meanwhile(case.operations.ledger, other_run)))
    assert not done.lost
    assert bool(done.written) is not complete
    assert len(file.read_text("utf-8").splitlines()) == 1
    assert confirmed(case, file) == case.now.date().isoformat()


def test_heads_that_somebody_made_up_at_that_moment_are_not_anchored(
    case: Any, tmp_path: Path
) -> None:
    file = tmp_path / "anchors.jsonl"
    case.now += timedelta(days=1)

    async def make_up() -> None:
        made_up = Heads(tenant=TENANT, day=case.now.date(), heads=[])
        assert await keep_heads(case.artifacts, made_up)

    done = asyncio.run(anchor(case, file, Meanwhile(case.operations.ledger, make_up)))
    [lost] = done.lost
    assert "the heads that are kept of that day lack it" in lost
    assert not file.exists()


def test_something_else_in_the_place_of_the_heads_is_told_of(case: Any, tmp_path: Path) -> None:
    day: date = case.now.date()

    async def plant() -> None:
        reference = await case.artifacts.put(TENANT, b"{}")
        await case.artifacts.remember(TENANT, key_of(day), reference)

    asyncio.run(plant())
    done = asyncio.run(anchor(case, tmp_path / "anchors.jsonl"))
    assert done.lost == [
        f"Something other than the heads of {day} is stored in their place for {TENANT}."
    ]


def test_heads_that_are_not_stored_any_more_are_told_of(case: Any, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    day: date = case.now.date()
    file.write_text(Heads(tenant=TENANT, day=day, heads=[]).anchor.line, "utf-8")
    case.now += timedelta(days=1)
    done = asyncio.run(anchor(case, file))
    assert done.lost == [
        f"The heads that were anchored on {day} for {TENANT} are missing or have been replaced."
    ]
