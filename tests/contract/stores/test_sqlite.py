"""What only the SQLite adapters promise: tampering is found, faults are named, nothing scans."""

import asyncio
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals.errors import DamagedRow
from countersign.approvals.events import Event
from countersign.approvals.ledger import Ledger, verify
from countersign.stores import sqlite_index
from countersign.stores.errors import StoreError, StoreUnavailable
from countersign.stores.search import Search
from countersign.stores.sqlite import Database, SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex
from countersign.stores.summary import Summary

Work = Callable[[str], Event]


@pytest.fixture
def adapter() -> str:
    return "embedded"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "countersign.db"


@pytest.fixture
def ledger(file: Path) -> SqliteLedger:
    return SqliteLedger(file)


async def fill(ledger: Ledger, started: Event, work: Work) -> None:
    await ledger.append("home", "op-1", 0, [started, *map(work, "abcd")])


def fill_with_text(file: Path) -> None:
    file.write_bytes(b"otters " * 400)


def execute(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def tamper(file: Path, statement: str) -> None:
    execute(file, "DROP TRIGGER no_update", "DROP TRIGGER no_delete", statement)


@pytest.mark.parametrize(
    ("sequence", "statement"),
    [
        # a text in an event
        (1, "UPDATE ledger SET data = replace(data, 'Otters', 'Stoats') WHERE sequence = 1"),
        # a digit in an event
        (3, "UPDATE ledger SET data = replace(data, '111', '211') WHERE sequence = 3"),
        # a hash
        (4, "UPDATE ledger SET hash = '00000000' || substr(hash, 9) WHERE sequence = 4"),
        # a row taken out
        (2, "DELETE FROM ledger WHERE sequence = 2"),
        # the first row taken out
        (1, "DELETE FROM ledger WHERE sequence = 1"),
        # a row copied from elsewhere
        (
            6,
            "INSERT INTO ledger SELECT tenant, operation_id, 6, type, data, hash, '' FROM ledger"
            " WHERE sequence = 5",
        ),
    ],
)
async def test_tampering_is_found_at_its_row(
    file: Path, ledger: SqliteLedger, started: Event, work: Work, sequence: int, statement: str
) -> None:
    await fill(ledger, started, work)
    tamper(file, statement)
    assert verify("home", "op-1", await ledger.read("home", "op-1")) == sequence


async def test_rows_moved_to_another_operation_do_not_fit(
    file: Path, ledger: SqliteLedger, started: Event, work: Work
) -> None:
    await fill(ledger, started, work)
    tamper(file, "UPDATE ledger SET operation_id = 'op-2'")
    assert verify("home", "op-2", await ledger.read("home", "op-2")) == 1


@pytest.mark.parametrize("statement", ["DELETE FROM ledger", "UPDATE ledger SET hash = ''"])
async def test_the_file_itself_refuses_to_change_a_row(
    file: Path, ledger: SqliteLedger, started: Event, work: Work, statement: str
) -> None:
    await fill(ledger, started, work)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        execute(file, statement)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE ledger SET data = '{' WHERE sequence = 5",
        "UPDATE ledger SET data = '[]' WHERE sequence = 5",
        "UPDATE ledger SET data = x'00' WHERE sequence = 5",
        "UPDATE ledger SET type = 'Mystery' WHERE sequence = 5",
    ],
)
async def test_a_row_that_is_no_event_is_named(
    file: Path, ledger: SqliteLedger, started: Event, work: Work, change: str
) -> None:
    await fill(ledger, started, work)
    tamper(file, change)
    with pytest.raises(DamagedRow, match=r"row 5 of the ledger can't be read") as caught:
        _ = [row.event for row in await ledger.read("home", "op-1")]
    assert caught.value.sequence == 5


async def test_an_index_row_that_is_no_summary_is_a_clear_error(
    file: Path, summary: Callable[..., Summary]
) -> None:
    index = SqliteIndex(file)
    await index.put(summary("op-1"), "none")
    execute(file, "UPDATE operations SET summary = '{}'")
    with pytest.raises(StoreError, match="a row of the index can't be read"):
        await index.get("home", "op-1")


async def test_constructing_touches_no_file(file: Path) -> None:
    SqliteLedger(file)
    SqliteIndex(file)
    assert not file.parent.exists()


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    fill_with_text(file := tmp_path / "otters.db")
    with pytest.raises(StoreUnavailable, match=re.escape(f"{file}: file is not a database")):
        await SqliteLedger(file).read("home", "op-1")


async def test_a_file_of_a_later_release_is_left_alone(file: Path, ledger: SqliteLedger) -> None:
    await ledger.read("home", "op-1")
    execute(file, "PRAGMA user_version = 99")
    with pytest.raises(StoreUnavailable, match="schema 99"):
        await ledger.read("home", "op-1")


FIRST_RELEASE = (
    *(
        f"DROP INDEX {name}"
        for name in (
            "unpurged",
            "by_requester",
            "by_kind",
            "by_deadline",
            "by_amount",
            "by_decided",
            "by_state_decided",
            "by_approvals",
            "waiting_other",
        )
    ),
    "DROP TABLE words",
    "DROP TABLE deciders",
    "DROP TABLE allowances",
    "DROP TABLE passkeys",
    "ALTER TABLE ledger DROP COLUMN openings",
    *(
        f"ALTER TABLE operations DROP COLUMN {name}"
        for name in (
            "unpurged_since",
            "kind",
            "amount",
            "decided_at",
            "approvals_needed",
            "words",
            "other_role",
        )
    ),
    "DELETE FROM announcements",
    "PRAGMA user_version = 1",
)
"""What makes a file of today one that the first release has written."""


async def test_a_file_of_the_first_release_is_brought_up_to_date_with_all_that_is_in_it(
    file: Path, summary: Callable[..., Summary]
) -> None:
    index = SqliteIndex(file)
    rows = [
        summary("op-1", stage="closed", state="published"),
        summary("op-2"),
        summary("op-3", stage="closed", state="rejected"),
    ]
    for row in rows:
        await index.put(row, "none")
    damage = "UPDATE operations SET summary = 'damaged' WHERE operation_id = 'op-3'"
    execute(file, *FIRST_RELEASE, damage)
    assert [await index.get("home", row.operation_id) for row in rows[:2]] == rows[:2]
    late = rows[0].updated_at + timedelta(days=1)
    assert [key.operation_id async for key in index.unpurged(late)] == ["op-1"]
    await index.put(summary("op-4", stage="closed", state="expired"), "none")
    assert [key.operation_id async for key in index.unpurged(late)] == ["op-1", "op-4"]


async def test_rows_of_an_earlier_release_are_announced_so_that_their_ledgers_are_read_again(
    file: Path, summary: Callable[..., Summary]
) -> None:
    index = SqliteIndex(file)
    await index.put(summary("op-1"), "none")
    execute(file, *FIRST_RELEASE)
    assert await index.count("home", Search(words=("otters",))) == 0
    (announced,) = [each async for each in index.announced_before(summary().updated_at)]
    assert (announced.tenant, announced.operation_id) == ("home", "op-1")
    await index.put(summary("op-1"), announced.token)
    assert await index.count("home", Search(words=("otters",))) == 1


async def test_a_folder_in_the_file_s_place_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="unable to open"):
        await SqliteIndex(tmp_path).get("home", "op-1")


async def test_every_commit_is_synced_to_the_disk(file: Path) -> None:
    def ask(connection: sqlite3.Connection) -> list[Any]:
        questions = ("PRAGMA journal_mode", "PRAGMA synchronous")
        return [connection.execute(question).fetchone()[0] for question in questions]

    full = 2
    assert await Database(file).write(ask) == ["wal", full]


async def test_a_first_use_by_many_at_once_makes_one_schema(file: Path) -> None:
    reads = [SqliteLedger(file).read("home", "op-1") for _ in range(8)]
    assert await asyncio.gather(*reads) == [[]] * 8


async def test_a_first_use_waits_for_another_one_to_end(file: Path, ledger: SqliteLedger) -> None:
    file.parent.mkdir()
    with closing(sqlite3.connect(file, isolation_level=None)) as first:
        # SQLite itself would not wait here, whatever the busy timeout.
        first.execute("BEGIN IMMEDIATE")
        second = asyncio.create_task(ledger.read("home", "op-1"))
        done, _ = await asyncio.wait({second}, timeout=0.1)
        assert not done
        first.execute("COMMIT")
    assert await second == []


async def test_whoever_reads_does_not_wait_with_those_who_write(
    file: Path, ledger: SqliteLedger, started: Event
) -> None:
    await ledger.append("home", "op", 0, [started])
    with closing(sqlite3.connect(file, isolation_level=None)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")
        # More than there are threads of any kind.
        names = [f"op-{number}" for number in range(64)]
        writing = [asyncio.create_task(ledger.append("home", name, 0, [started])) for name in names]
        for _ in range(5):
            assert len(await ledger.read("home", "op")) == 1
        assert not any(task.done() for task in writing)
        stranger.execute("COMMIT")
    assert len(await asyncio.gather(*writing)) == len(names)


async def test_a_first_use_by_several_processes_makes_one_schema(
    ledger: SqliteLedger, started: Event, other: Callable[..., Any], race: Callable[..., Any]
) -> None:
    assert race(*(other("read_first") for _ in range(4))) == [[]] * 4
    assert len(await ledger.append("home", "op-1", 0, [started])) == 1


@pytest.mark.parametrize("name", ["_GET", "_STALLED", "_UNPURGED", "_ANNOUNCED"])
async def test_no_list_scans_the_table(file: Path, ledger: SqliteLedger, name: str) -> None:
    query = getattr(sqlite_index, name)
    await ledger.read("home", "op-1")
    with closing(sqlite3.connect(file)) as connection:
        plan = connection.execute("EXPLAIN QUERY PLAN " + query, [None] * query.count("?"))
        steps = [step for *_, step in plan]
    assert any("USING INDEX" in step for step in steps)
    assert not [step for step in steps if re.match(r"SCAN (operations|announcements)", step)]
    assert not [step for step in steps if "TEMP B-TREE" in step]
