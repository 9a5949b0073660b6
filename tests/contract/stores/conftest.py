"""The stores under test: an adapter joins by one more entry in `ADAPTERS`."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from countersign.approvals.events import Event, OperationStarted, WorkDone
from countersign.approvals.ledger import Ledger
from countersign.approvals.person import SYSTEM, Actor
from countersign.approvals.policy import Policy
from countersign.stores.account import StorageAccount
from countersign.stores.allowances import AllowanceStore
from countersign.stores.artifacts import Artifacts
from countersign.stores.blob_artifacts import BlobArtifacts
from countersign.stores.folder import FolderArtifacts, FolderProgress
from countersign.stores.folder_serving import FolderServing
from countersign.stores.index import Index
from countersign.stores.memory import MemoryArtifacts, MemoryLedger, MemoryProgress
from countersign.stores.memory_allowances import MemoryAllowances
from countersign.stores.memory_index import MemoryIndex
from countersign.stores.memory_passkeys import MemoryPasskeys
from countersign.stores.passkeys import PasskeyStore
from countersign.stores.progress import ProgressStore
from countersign.stores.serving import ServingStore
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_allowances import SqliteAllowances
from countersign.stores.sqlite_index import SqliteIndex
from countersign.stores.sqlite_passkeys import SqlitePasskeys
from countersign.stores.summary import Summary
from countersign.stores.table_allowances import TableAllowances
from countersign.stores.table_index import TableIndex
from countersign.stores.table_ledger import TableLedger
from countersign.stores.table_passkeys import TablePasskeys
from countersign.stores.table_progress import TableProgress
from countersign.stores.table_serving import TableServing

NOON = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """How to open each store at a place, in this process or in one that a test starts."""

    ledger: Callable[[str], Ledger]
    index: Callable[[str], Index]
    artifacts: Callable[[str], Artifacts]
    progress: Callable[[str], ProgressStore]
    allowances: Callable[[str], AllowanceStore]
    passkeys: Callable[[str], PasskeyStore]


ADAPTERS = {
    "embedded": Adapter(
        ledger=lambda place: SqliteLedger(Path(place, "data", "countersign.db")),
        index=lambda place: SqliteIndex(Path(place, "data", "countersign.db")),
        artifacts=lambda place: FolderArtifacts(Path(place, "data", "artifacts")),
        progress=lambda place: FolderProgress(Path(place, "data", "progress")),
        allowances=lambda place: SqliteAllowances(Path(place, "data", "countersign.db")),
        passkeys=lambda place: SqlitePasskeys(Path(place, "data", "countersign.db")),
    ),
    # Whatever is opened at a place twice is one object: another process has another memory.
    "memory": Adapter(
        ledger=cache(lambda _place: MemoryLedger()),
        index=cache(lambda _place: MemoryIndex()),
        artifacts=cache(lambda _place: MemoryArtifacts()),
        progress=cache(lambda _place: MemoryProgress()),
        allowances=cache(lambda _place: MemoryAllowances()),
        passkeys=cache(lambda _place: MemoryPasskeys()),
    ),
    "azure": Adapter(
        ledger=lambda place: TableLedger(account_at(place)),
        index=lambda place: TableIndex(account_at(place)),
        artifacts=lambda place: BlobArtifacts(account_at(place)),
        progress=lambda place: TableProgress(account_at(place)),
        allowances=lambda place: TableAllowances(account_at(place)),
        passkeys=lambda place: TablePasskeys(account_at(place)),
    ),
}


def account_at(place: str) -> StorageAccount:
    prefix, _, connection_string = place.partition(" ")
    return StorageAccount(connection_string=connection_string, prefix=prefix)


@pytest.fixture(params=ADAPTERS)
def adapter(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def place(adapter: str, request: pytest.FixtureRequest) -> str:
    if adapter == "azure":
        return f"t{uuid4().hex[:20]} {request.getfixturevalue('azurite')}"
    return str(request.getfixturevalue("tmp_path"))


@pytest.fixture
def account(place: str) -> StorageAccount:
    return account_at(place)


@pytest.fixture
def ledger(adapter: str, place: str) -> Ledger:
    return ADAPTERS[adapter].ledger(place)


@pytest.fixture
def index(adapter: str, place: str) -> Index:
    return ADAPTERS[adapter].index(place)


@pytest.fixture
def artifacts(adapter: str, place: str) -> Artifacts:
    return ADAPTERS[adapter].artifacts(place)


@pytest.fixture
def progress(adapter: str, place: str) -> ProgressStore:
    return ADAPTERS[adapter].progress(place)


@pytest.fixture
def allowances(adapter: str, place: str) -> AllowanceStore:
    return ADAPTERS[adapter].allowances(place)


@pytest.fixture
def passkeys(adapter: str, place: str) -> PasskeyStore:
    return ADAPTERS[adapter].passkeys(place)


@pytest.fixture(params=["embedded", "azure"])
def serving(request: pytest.FixtureRequest) -> Callable[[], ServingStore]:
    """Opens the store that says which hub serves one storage."""
    if request.param == "embedded":
        folder = request.getfixturevalue("tmp_path") / "data"
        return lambda: FolderServing(folder)
    place = f"t{uuid4().hex[:20]} {request.getfixturevalue('azurite')}"
    return lambda: TableServing(account_at(place))


@pytest.fixture
def now() -> datetime:
    return NOON


@pytest.fixture
def started() -> Event:
    return OperationStarted(
        at=NOON,
        actor=Actor(id="ada", name="Ada"),
        kind="research",
        title="Otters, „Ötter“",
        request="0" * 64,
        policy=Policy(reviewer_role="Report.Reviewer"),
    )


@pytest.fixture
def work() -> Callable[[str], Event]:
    """An event that differs from others by the name of its step."""
    return lambda step: WorkDone(at=NOON, actor=SYSTEM, step=step, result="1" * 64)


@pytest.fixture
def summary() -> Callable[..., Summary]:
    """A row that waits for a decision since noon, due in an hour, but for what is said."""

    def build(operation_id: str = "op-1", **facts: Any) -> Summary:
        usual: dict[str, Any] = {
            "operation_id": operation_id,
            "tenant": "home",
            "kind": "research",
            "title": "Otters",
            "requester_id": "ada",
            "requester_name": "Ada",
            "state": "awaiting_approval",
            "stage": "awaiting_decision",
            "done": 3,
            "total": 3,
            "tokens": 7,
            "version": 1,
            "required_role": "Report.Reviewer",
            "approvers": (),
            "expires_at": NOON + timedelta(hours=1),
            "created_at": NOON,
            "updated_at": NOON,
            "sequence": 5,
        }
        return Summary(**{**usual, **facts})

    return build


def ruin_sqlite(place: str) -> None:
    with closing(sqlite3.connect(Path(place, "data", "countersign.db"))) as file, file:
        file.execute("UPDATE operations SET summary = '{}'")


def ruin_tables(place: str) -> None:
    table = account_at(place).table("index")
    for entity in table.list_entities():
        if "summary" in entity:
            table.upsert_entity({**entity, "summary": "{}"})


@pytest.fixture
def ruin_rows(adapter: str, place: str) -> Callable[[], None]:
    """Makes all rows of the index unreadable."""
    if adapter == "memory":
        pytest.skip("it keeps records, and no text that could be damaged")
    ruin = {"embedded": ruin_sqlite, "azure": ruin_tables}[adapter]
    return lambda: ruin(place)


def strip_sqlite(place: str) -> None:
    with closing(sqlite3.connect(Path(place, "data", "countersign.db"))) as file, file:
        file.executescript(
            "DELETE FROM words; DELETE FROM deciders;"
            "UPDATE operations SET state = 'running', overdue_from = NULL, created_at = 0"
        )


def strip_tables(place: str) -> None:
    table = account_at(place).table("index")
    for entity in table.list_entities():
        if not entity["RowKey"].startswith("operation:"):
            table.delete_entity(entity)


@pytest.fixture
def lose_lists(adapter: str, place: str) -> Callable[[], None]:
    """Takes all rows of the index out of all lists but leaves the rows there."""
    if adapter == "memory":
        pytest.skip("its lists are made from the rows each time")
    strip = {"embedded": strip_sqlite, "azure": strip_tables}[adapter]
    return lambda: strip(place)


class Other:
    """A process that works on the same stores; killed at the end of the test at the latest."""

    def __init__(self, *args: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("others.py")), *args],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._to, self._from = self._process.stdin, self._process.stdout

    def line(self) -> str:
        return self._from.readline().rstrip("\n")

    def go(self) -> None:
        self._to.write("go\n")
        self._to.flush()

    def rest(self) -> list[str]:
        lines = self._process.communicate()[0].split()
        assert self._process.returncode == 0
        return lines

    def kill(self) -> list[str]:
        self._process.kill()
        return self._process.communicate()[0].split()


@pytest.fixture
def other(adapter: str, place: str) -> Iterator[Callable[..., Other]]:
    """Start one of `others.py` on the same stores."""
    if adapter == "memory":
        pytest.skip("another process has a memory of its own")
    started: list[Other] = []

    def start(what: str, *args: str) -> Other:
        started.append(Other(what, adapter, place, *args))
        return started[-1]

    yield start
    for process in started:
        process.kill()


@pytest.fixture
def race() -> Callable[..., list[list[str]]]:
    """Let processes go at once, when all are ready; returns what each of them said."""

    def run(*others: Other) -> list[list[str]]:
        assert [other.line() for other in others] == ["ready"] * len(others)
        for other in others:
            other.go()
        return [other.rest() for other in others]

    return run
