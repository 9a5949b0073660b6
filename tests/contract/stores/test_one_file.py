"""What the SQLite file promises to all that share it: one writer, kept connections, one change."""

import asyncio
import gc
import itertools
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals import rules
from countersign.approvals.errors import Conflict
from countersign.approvals.events import Event, OperationStarted
from countersign.operations.repository import Changed, Operations
from countersign.operations.summary import summarise
from countersign.stores.errors import StoreUnavailable
from countersign.stores.sqlite import Database, SqliteLedger
from countersign.stores.sqlite_connections import Connections
from countersign.stores.sqlite_index import SqliteIndex
from testbed.pauses import pauses

Work = Callable[[str], Event]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "countersign.db"


@pytest.fixture
def ledger(file: Path) -> SqliteLedger:
    return SqliteLedger(file)


@pytest.fixture
def operations(file: Path, ledger: SqliteLedger, now: Any) -> Operations:
    return Operations(ledger, SqliteIndex(file), lambda: now, one_file=ledger)


@pytest.fixture
def often() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def ask(file: Path, *statements: str) -> list[Any]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        return [connection.execute(statement).fetchall() for statement in statements]


async def spend(operations: Operations, tokens: int) -> Any:
    return await operations.change(
        "home", "op-1", lambda state, now: rules.record_call(state, "plan", tokens, now)
    )


async def row_of(operations: Operations) -> tuple[int, int]:
    row = await operations.index.get("home", "op-1")
    assert row
    return row.sequence, row.tokens


async def announced(operations: Operations, now: Any) -> list[Any]:
    return [each async for each in operations.index.announced_before(now.replace(year=2100))]


async def test_ledger_and_index_change_together_and_announce_nothing(
    operations: Operations, started: OperationStarted, now: Any
) -> None:
    await operations.start("home", "op-1", started)
    assert isinstance(await spend(operations, 5), Changed)
    assert await row_of(operations) == (2, 5)
    assert len(await operations.ledger.read("home", "op-1")) == 2
    assert await announced(operations, now) == []


async def test_a_conflict_changes_neither(
    operations: Operations, ledger: SqliteLedger, started: OperationStarted
) -> None:
    begun = await operations.start("home", "op-1", started)
    await spend(operations, 5)
    before = await row_of(operations)
    with pytest.raises(Conflict):
        await ledger.append("home", "op-1", 0, [started], shown=summarise(begun.operation))
    assert await row_of(operations) == before
    assert len(await ledger.read("home", "op-1")) == 2


async def test_what_a_writer_finds_in_its_turn_keeps_all_of_it_from_being_written(
    ledger: SqliteLedger, operations: Operations, started: OperationStarted
) -> None:
    def not_now() -> None:
        raise Conflict

    with pytest.raises(Conflict):
        await ledger.append("home", "op-1", 0, [started], first=not_now)
    assert await ledger.read("home", "op-1") == []


async def test_what_happened_counts_though_the_index_can_t_show_it_and_is_shown_later(
    file: Path, operations: Operations, started: OperationStarted, now: Any
) -> None:
    await operations.start("home", "op-1", started)
    ask(
        file,
        "CREATE TRIGGER jammed BEFORE UPDATE ON operations BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    assert isinstance(await spend(operations, 5), Changed)
    assert await row_of(operations) == (1, 0)
    [left] = await announced(operations, now)
    ask(file, "DROP TRIGGER jammed")
    await operations.refresh(left.tenant, left.operation_id, left.token)
    assert await row_of(operations) == (2, 5)
    assert await announced(operations, now) == []


async def locked(file: Path, *changes: Callable[[sqlite3.Connection], Any]) -> list[Any]:
    """What comes of changes that all come while somebody else writes."""
    database = Database(file)
    await database.read(lambda _: None)
    with closing(sqlite3.connect(file, isolation_level=None)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")
        first = asyncio.create_task(database.write(lambda _: "first"))
        # Only what comes while this one waits for the lock shares a transaction for sure.
        await asyncio.sleep(0.05)
        making = [asyncio.create_task(database.write(change)) for change in changes]
        await asyncio.sleep(0)
        stranger.execute("COMMIT")
    assert await first == "first"
    return await asyncio.gather(*making, return_exceptions=True)


def announce(name: str) -> Callable[[sqlite3.Connection], str]:
    def change(connection: sqlite3.Connection) -> str:
        connection.execute("INSERT INTO announcements VALUES (?, 'home', 'op', 1)", (name,))
        return name

    return change


def names(file: Path) -> list[str]:
    [rows] = ask(file, "SELECT token FROM announcements ORDER BY rowid")
    return [name for (name,) in rows]


async def test_what_comes_while_others_write_shares_one_transaction(file: Path) -> None:
    seen: list[list[str]] = []

    def look(connection: sqlite3.Connection) -> None:
        own = connection.execute("SELECT token FROM announcements ORDER BY rowid").fetchall()
        seen.extend([[name for (name,) in own], names(file)])

    assert await locked(file, announce("a"), announce("b"), look) == ["a", "b", None]
    assert seen == [["a", "b"], []]
    assert names(file) == ["a", "b"]


async def test_a_change_that_fails_takes_back_itself_alone(file: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        announce("half")(connection)
        raise Conflict("too late")

    first, failed, twice, last = await locked(
        file, announce("a"), fail, announce("a"), announce("b")
    )
    assert (first, last) == ("a", "b")
    assert isinstance(failed, Conflict)
    assert isinstance(twice, StoreUnavailable)
    assert names(file) == ["a", "b"]


async def test_a_change_that_costs_the_transaction_costs_the_others_nothing(file: Path) -> None:
    def lose(connection: sqlite3.Connection) -> None:
        connection.execute("ROLLBACK")
        raise sqlite3.OperationalError("disk full")

    first, lost, last = await locked(file, announce("a"), lose, announce("b"))
    assert (first, last) == ("a", "b")
    assert isinstance(lost, StoreUnavailable)
    assert names(file) == ["a", "b"]


async def test_a_caller_who_gives_up_leaves_the_others_their_answers(file: Path) -> None:
    database = Database(file)
    await database.read(lambda _: None)
    with closing(sqlite3.connect(file, isolation_level=None)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")
        tasks = [asyncio.create_task(database.write(announce(name))) for name in "abc"]
        await asyncio.sleep(0)
        tasks[1].cancel()
        stranger.execute("COMMIT")
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert (answers[0], answers[2]) == ("a", "c")
    assert isinstance(answers[1], asyncio.CancelledError)


async def test_another_file_in_its_place_is_noticed(
    file: Path, tmp_path: Path, started: Event, work: Work
) -> None:
    ledger = SqliteLedger(file)
    await ledger.append("home", "op-1", 0, [started])
    backup = tmp_path / "backup.db"
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(backup)) as target:
        source.backup(target)
    await ledger.append("home", "op-1", 1, [work("a")])
    assert len(await ledger.read("home", "op-1")) == 2
    try:
        shutil.move(backup, file)
    except PermissionError:
        pytest.skip("this system lets nobody replace an open file")
    assert len(await ledger.read("home", "op-1")) == 1
    await ledger.append("home", "op-1", 1, [work("b")])
    assert len(await SqliteLedger(file).read("home", "op-1")) == 2
    assert ask(file, "PRAGMA integrity_check") == [[("ok",)]]


async def test_a_file_that_is_gone_is_made_anew(file: Path, started: Event) -> None:
    ledger = SqliteLedger(file)
    await ledger.append("home", "op-1", 0, [started])
    try:
        shutil.rmtree(file.parent)
    except PermissionError:
        pytest.skip("this system lets nobody delete an open file")
    assert await ledger.read("home", "op-1") == []
    assert len(await ledger.append("home", "op-1", 0, [started])) == 1


async def test_nothing_stays_open_when_nobody_has_the_file_any_more(
    file: Path, started: Event
) -> None:
    ledger, index = SqliteLedger(file), SqliteIndex(file)
    await ledger.append("home", "op-1", 0, [started])
    await index.get("home", "op-1")
    log = file.with_name(f"{file.name}-wal")
    assert log.exists()
    del ledger, index
    # The last to close a file folds its log into it. Who wrote last may be about to let go of it.
    for pause in itertools.islice(pauses(), 100):
        gc.collect()
        if not log.exists():
            return
        await asyncio.sleep(pause)
    raise AssertionError("the file is still open")


def test_what_was_read_is_not_lost_where_no_further_connection_can_be_made(file: Path) -> None:
    def connect(file: Path, *, waits: bool) -> sqlite3.Connection:
        if not waits:
            raise sqlite3.OperationalError("unable to open database file")
        return sqlite3.connect(file, isolation_level=None, check_same_thread=False)

    file.parent.mkdir()
    connections = Connections(file, connect, version=0)
    for _ in range(2):
        assert connections.read(lambda opened: opened.execute("SELECT 1").fetchall()) == [(1,)]


def test_whoever_comes_while_a_connection_is_made_gets_an_answer(file: Path, often: None) -> None:
    def connect(file: Path, *, waits: bool) -> sqlite3.Connection:
        return sqlite3.connect(file, isolation_level=None, check_same_thread=False)

    def one(_: int) -> Any:
        return connections.read(lambda opened: opened.execute("SELECT 1").fetchall())

    file.parent.mkdir()
    with ThreadPoolExecutor(4) as threads:
        for _ in range(200):
            connections = Connections(file, connect, version=0)
            assert list(threads.map(one, range(4))) == [[(1,)]] * 4


FULL = """
import asyncio, resource, signal, sys
from pathlib import Path
from countersign.approvals.events import WorkDone
from countersign.approvals.person import SYSTEM
from countersign.stores.search import Search
from countersign.stores.errors import StoreUnavailable
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex

async def main(file):
    ledger, index = SqliteLedger(file), SqliteIndex(file)
    [first] = await ledger.read("home", "op-1")
    again = WorkDone(at=first.event.at, actor=SYSTEM, step="x" * 20_000, result="1" * 64)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    for _ in range(2):
        try:
            await ledger.append("home", "op-1", 1, [again])
        except StoreUnavailable:
            print("refused")
        print(len(await ledger.read("home", "op-1")))
        page = await index.search("home", Search(), limit=9)
        print(len(page.rows))

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
asyncio.run(main(Path(sys.argv[1])))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it can't be told that a disk is full")
def test_a_full_disk_still_answers_whoever_reads(
    file: Path, operations: Operations, started: OperationStarted
) -> None:
    asyncio.run(operations.start("home", "op-1", started))
    command = [sys.executable, "-c", FULL, str(file)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["refused", "1", "1"] * 2, done.stderr
