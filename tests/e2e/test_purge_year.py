"""A year of 10,000 operations: what the durable runtime keeps of them stays that of a month."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
from azure.durable_functions import OrchestrationRuntimeStatus as Status

from countersign.approvals import rules
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from countersign.approvals.retention import Retention
from countersign.operations.repository import Changed, Operations
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex
from devhost.background import Background
from devhost.console import Console
from devhost.durable.entity import unborn
from devhost.engine.admission import new_instance
from devhost.engine.orchestrations import Orchestrations
from devhost.engine.turns import Limits
from devhost.functions.catalogue import Catalogue
from devhost.state.statements import put_entity, put_instance
from devhost.state.store import Selection, Store
from devhost.time.clock import SystemClock
from endpoints import purge
from endpoints.purge import entities_of, orchestrations_of, purge_instances

KEPT_DAYS = 30
YEAR_DAYS = 365
START = datetime(2026, 1, 1, tzinfo=timezone.utc)


class Runtime:
    """The durable runtime of the local host, as it is after everything has run; no HTTP."""

    def __init__(self, folder: Path) -> None:
        self._store, clock = Store(folder / "state.db", pytest.fail), SystemClock()
        console = Console(clock)
        app: Any = SimpleNamespace(catalogue=Catalogue(), call=pytest.fail)
        self._engine = Orchestrations(
            self._store,
            app=app,
            clock=clock,
            console=console,
            background=Background(console, pytest.fail),
            limits=Limits(),
        )

    async def keep(self, operation: Operation) -> None:
        """Have all that an operation leaves behind."""
        now = operation.updated_at
        done = [
            replace(
                new_instance(id=each, name="done", version=None, input=None, now=now)[0],
                status="Completed",
            )
            for each in orchestrations_of(operation)
        ]
        empty = [unborn(each, now) for each in entities_of(operation)]
        await self._store.commit([*map(put_instance, done), *map(put_entity, empty)])

    async def count(self) -> int:
        return len(await self._store.select(Selection(top=-1)))

    async def get_status(self, instance_id: str) -> Any:
        found = await self._engine.get(instance_id)
        return SimpleNamespace(runtime_status=found and Status(found.status))

    async def purge_instance_history(self, instance_id: str) -> None:
        await self._engine.purge(instance_id)

    async def close(self) -> None:
        await self._engine.close()
        await self._store.close()


class Year:
    """An app whose people ask for something each day and take it back."""

    def __init__(self, folder: Path, runtime: Runtime) -> None:
        self.now = START
        self.runtime: Any = runtime
        file = folder / "countersign.db"
        self.operations = Operations(SqliteLedger(file), SqliteIndex(file), lambda: self.now)
        settings = SimpleNamespace(purge_after_days=KEPT_DAYS, retention=Retention(days={}))
        self._app: Any = SimpleNamespace(
            settings=settings, clock=lambda: self.now, operations=self.operations
        )

    async def day(self, number: int, operations: int) -> None:
        self.now = START + timedelta(days=number)
        for n in range(operations):
            await self._one(f"op-{number}-{n}")
        await self.purge()

    async def purge(self) -> None:
        await purge_instances(self._app, self.runtime)

    async def _one(self, operation_id: str) -> None:
        asked = OperationStarted(
            at=self.now,
            actor=Actor(id="ada", name="Ada"),
            kind="research",
            title="Otters",
            request="0" * 64,
            policy=Policy(reviewer_role="Report.Reviewer"),
        )
        await self.operations.start("home", operation_id, asked)
        closed = await self.operations.change(
            "home",
            operation_id,
            lambda state, now: rules.close(state, "failed", "no", now, written="published"),
        )
        assert isinstance(closed, Changed)
        await self.runtime.keep(closed.operation)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    # Most of the time would be spent on waiting for a disk.
    memory = Path("/dev/shm")  # noqa: S108 - a folder of the test's own in it
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as name:
        yield Path(name)


@pytest.fixture
async def year(folder: Path) -> AsyncIterator[Year]:
    runtime = Runtime(folder)
    yield Year(folder, runtime)
    await runtime.close()


@pytest.mark.parametrize(
    "operations",
    [365, pytest.param(10_000, marks=[pytest.mark.thorough, pytest.mark.timeout(1800)])],
)
async def test_the_number_of_instances_stays_flat(year: Year, operations: int) -> None:
    in_a_day = -(-operations // YEAR_DAYS)
    counts = []
    for number in range(YEAR_DAYS):
        await year.day(number, in_a_day)
        counts.append(await year.runtime.count())
    assert set(counts[KEPT_DAYS:]) == {counts[KEPT_DAYS - 1]} == {2 * KEPT_DAYS * in_a_day}


async def test_a_run_that_takes_too_long_leaves_the_rest_to_the_next(
    year: Year, monkeypatch: pytest.MonkeyPatch
) -> None:
    await year.day(0, 3)
    year.now += timedelta(days=KEPT_DAYS)
    monkeypatch.setattr(purge, "LONGEST_RUN_SECONDS", -1.0)
    await year.purge()
    assert await year.runtime.count() == 6
    monkeypatch.undo()
    await year.purge()
    assert await year.runtime.count() == 0


async def test_one_operation_that_can_not_be_purged_now_holds_up_no_other(
    year: Year, monkeypatch: pytest.MonkeyPatch
) -> None:
    await year.day(0, 3)
    year.now += timedelta(days=KEPT_DAYS)
    asked = year.runtime.get_status

    async def refuse(instance_id: str) -> Any:
        if instance_id == "op-0-0":
            raise RuntimeError("not now")
        return await asked(instance_id)

    monkeypatch.setattr(year.runtime, "get_status", refuse)
    await year.purge()
    assert await year.runtime.count() == 2
    monkeypatch.undo()
    await year.purge()
    assert await year.runtime.count() == 0
