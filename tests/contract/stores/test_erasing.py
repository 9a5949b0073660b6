"""What is erased from a store is gone, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals.events import Event
from countersign.approvals.ledger import Ledger, NewRow, to_record, verify, without
from countersign.approvals.sealing import sealed
from countersign.stores.artifacts import Artifacts, MissingArtifact
from countersign.stores.index import Index
from countersign.stores.search import Search
from countersign.stores.summary import Decider, Summary
from testbed.rows import put

Work = Callable[[str], Event]
Build = Callable[..., Summary]
TOPIC = "Zerberus-Musik"
DAY = timedelta(days=1)


def entry(event: Event, number: int) -> NewRow:
    salts = iter(f"{number}{each:031x}" for each in range(9))
    name, data = to_record(event)
    hashed, openings = sealed(name, data, {}, lambda: next(salts))
    return NewRow(type=name, data=hashed, openings=openings)


@pytest.fixture
def entries(started: Any) -> list[NewRow]:
    return [entry(replace(started, title=f"{TOPIC} {number}"), number) for number in (1, 2)]


async def test_names_and_texts_are_read_with_their_rows(
    ledger: Ledger, entries: list[NewRow], work: Work
) -> None:
    appended = await ledger.append("home", "op-1", 0, [*entries, work("plan")])
    rows = await ledger.read("home", "op-1")
    assert rows == appended
    assert rows[0].content["title"] == f"{TOPIC} 1"
    assert verify("home", "op-1", rows) is None


async def test_all_openings_of_an_operation_are_erased_and_no_others(
    ledger: Ledger, entries: list[NewRow], work: Work
) -> None:
    rows = await ledger.append("home", "op-1", 0, [*entries, work("plan")])
    others = await ledger.append("home", "op-2", 0, entries)
    elsewhere = await ledger.append("other", "op-1", 0, entries)
    await ledger.erase("home", "op-1")
    await ledger.erase("home", "op-1")
    await ledger.erase("home", "none")
    left = await ledger.read("home", "op-1")
    assert left == [without(row, None) for row in rows]
    assert verify("home", "op-1", left) is None
    assert await ledger.read("home", "op-2") == others
    assert await ledger.read("other", "op-1") == elsewhere


async def test_the_named_openings_are_erased_and_what_follows_is_chained_as_before(
    ledger: Ledger, entries: list[NewRow], work: Work
) -> None:
    rows = await ledger.append("home", "op-1", 0, entries)
    gone = [named for named, opening in rows[1].openings.items() if TOPIC in opening.value]
    await ledger.erase("home", "op-1", gone)
    left = await ledger.read("home", "op-1")
    assert left == [rows[0], without(rows[1], gone)]
    await ledger.append("home", "op-1", 2, [work("plan")])
    assert verify("home", "op-1", await ledger.read("home", "op-1")) is None


async def test_long_texts_of_many_rows_are_kept_and_erased(
    ledger: Ledger, started: Any, work: Work
) -> None:
    long = [entry(replace(started, title="ä" * 40_000), number) for number in range(1, 4)]
    rows = await ledger.append("home", "op-1", 0, long)
    assert await ledger.read("home", "op-1") == rows
    await ledger.erase("home", "op-1")
    assert await ledger.read("home", "op-1") == [without(row, None) for row in rows]


async def test_the_artifacts_of_one_shelf_are_erased_and_no_others(artifacts: Artifacts) -> None:
    for shelf in ("home", '["home", "op-1"]', '["home", "op-2"]'):
        reference = await artifacts.put(shelf, b"text")
        assert await artifacts.remember(shelf, "key", reference) == reference
    for _ in range(2):
        await artifacts.erase('["home", "op-1"]')
    with pytest.raises(MissingArtifact):
        await artifacts.get('["home", "op-1"]', reference)
    assert await artifacts.recall('["home", "op-1"]', "key") is None
    for shelf in ("home", '["home", "op-2"]'):
        assert await artifacts.get(shelf, reference) == b"text"
        assert await artifacts.recall(shelf, "key") == reference


async def test_an_erased_row_of_the_index_is_found_by_no_name(
    index: Index, summary: Build, now: datetime
) -> None:
    decided = Decider(person="bob", name="Bob", decision="approve", version=1, at=now)
    row = summary("op-1", state="published", stage="closed", decided_by=(decided,), title=TOPIC)
    await put(index, row)
    gone = replace(decided, person="erased-2", name="[erased]")
    erased = replace(
        row,
        title="[erased]",
        requester_id="erased-1",
        requester_name="[erased]",
        decided_by=(gone,),
        erased="all",
        sequence=row.sequence + 1,
    )
    await put(index, erased)
    for search in (Search(words=("zerberus",)), Search(requester="ada"), Search(decider="bob")):
        assert (await index.search("home", search, limit=5)).rows == []
    for search in (Search(requester="erased-1"), Search(decider="erased-2"), Search()):
        assert (await index.search("home", search, limit=5)).rows == [erased]


async def unpurged(index: Index, since: datetime) -> list[str]:
    return [key.operation_id async for key in index.unpurged(since)]


async def test_what_is_kept_for_a_time_is_on_the_list_again_after_it(
    index: Index, summary: Build, now: datetime
) -> None:
    row = summary("op-1", state="published", stage="closed", expires_at=None)
    await put(index, row)
    await index.purged("home", "op-1", now, now + DAY)
    assert await unpurged(index, now) == []
    assert await unpurged(index, now + DAY) == ["op-1"]
    assert await index.get("home", "op-1") == row
    await index.purged("home", "op-1", now + DAY, now + 2 * DAY)
    assert await unpurged(index, now + DAY) == []
    await index.purged("home", "op-1", now + 2 * DAY)
    assert await unpurged(index, now + 99 * DAY) == []


async def test_what_was_erased_is_looked_after_at_once(
    index: Index, summary: Build, now: datetime
) -> None:
    row = summary("op-1", state="published", stage="closed", created_at=now - DAY, erased="all")
    await put(index, row)
    assert await unpurged(index, now - DAY) == ["op-1"]


def files_in(folder: Path) -> Iterator[bytes]:
    return (file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("adapter", ["embedded"], indirect=False)
async def test_nothing_of_it_is_left_in_the_files(
    ledger: Ledger, index: Index, summary: Build, entries: list[NewRow], place: str, work: Work
) -> None:
    await ledger.append("home", "op-1", 0, entries)
    await put(index, summary("op-1", title=TOPIC))
    assert any(b"zerberus" in data.lower() for data in files_in(Path(place)))
    await put(index, summary("op-1", title="[erased]", erased="all", sequence=6))
    await ledger.erase("home", "op-1")
    assert not any(b"zerberus" in data.lower() for data in files_in(Path(place)))
