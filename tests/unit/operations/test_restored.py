"""What a restored ledger knows nothing of, and its destination has, is never denied."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals import rules, writes
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.destinations.destination import DestinationUnavailable
from countersign.destinations.order_service import OrderService
from countersign.destinations.purchasing import Purchasing
from countersign.destinations.report_folder import ReportFolder
from countersign.operations.proposing import close_operation
from countersign.operations.repository import Changed
from countersign.operations.restored import FoundAfterRestore, ask_destinations
from countersign.operations.writing import write_approved
from countersign.services import Services
from countersign.steps.records import ClosingWork, VersionWork, Written
from countersign.stores.copying import copy_database, copy_missing
from countersign.wiring import services
from local.settings import complete
from testbed.approved import decide, have_approved

TENANT, NAME = "home", "purchase-1"
WORK = VersionWork(tenant=TENANT, operation_id=NAME, version=1)
EVENTS = 8
"""How many events an order has from its request to its end."""


class World:
    """A place where orders go, and apps that one after the other work on copies of one store."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._monkeypatch = folder, monkeypatch
        self.orders = ReportFolder(folder / "orders")
        self._key = complete({}, port=1, data=folder / "first")["COUNTERSIGN_PROOF_KEY"]

    def app(self, name: str = "first", **more: Any) -> Services:
        for setting, value in complete(
            {"COUNTERSIGN_PROOF_KEY": self._key}, port=1, data=self._folder / name
        ).items():
            self._monkeypatch.setenv(setting, value)
        services.cache_clear()
        return replace(services(), **{"orders": self.orders, **more})

    def restored(self, events: int) -> Services:
        """An app on a backup that was made when so many events were recorded."""
        name = f"after-{events}"
        file = self._folder / name / "countersign.db"
        copy_database(self._folder / "first" / "countersign.db", file)
        copy_missing(self._folder / "first" / "artifacts", self._folder / name / "artifacts")
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("DROP TRIGGER no_delete")
            database.execute("DELETE FROM ledger WHERE sequence > ?", (events,))
            database.execute("DELETE FROM operations")
        return self.app(name)

    def placed(self) -> dict[str, bytes]:
        """What is at the destination."""
        files = (self._folder / "orders").rglob("*.md")
        return {file.name: file.read_bytes() for file in files}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    yield World(tmp_path, monkeypatch)
    services.cache_clear()


async def ordered(world: World) -> None:
    """Have an order approved, placed and closed."""
    app = world.app()
    await have_approved(app, TENANT, NAME)
    assert isinstance(await write_approved(app, WORK), Written)
    await close_operation(app, ClosingWork.of(WORK, ends_as=None, reason=""))
    assert len(await app.operations.ledger.read(TENANT, NAME)) == EVENTS


async def asked(app: Services) -> list[FoundAfterRestore]:
    return [found async for found in ask_destinations(app, TENANT)]


async def state_of(app: Services) -> Operation:
    operation = await app.operations.load(TENANT, NAME)
    assert operation
    return operation


async def try_to_deny(app: Services) -> None:
    """Reject it, withdraw it, close it as failed: whatever is still possible."""
    rita = Person(id="rita", name="Rita", tenant=TENANT, roles=frozenset())
    if (await state_of(app)).current:
        await app.operations.change(TENANT, NAME, lambda state, now: decide(state, now, "reject"))
    await app.operations.change(
        TENANT, NAME, lambda state, now: rules.withdraw(state, rita, "", now)
    )
    await close_operation(app, ClosingWork.of(WORK, ends_as="failed", reason="No."))


@pytest.mark.parametrize("events", range(1, EVENTS))
async def test_whatever_is_out_is_confirmed_or_marked_and_never_denied(
    world: World, events: int
) -> None:
    await ordered(world)
    out = world.placed()
    app = world.restored(events)
    before = await state_of(app)
    [found] = await asked(app)
    was_approved = before.current is not None and before.current.status == "approved"
    assert found.finding == ("confirmed" if was_approved else "contradiction")
    await try_to_deny(app)
    closed = (await state_of(app)).closed
    assert closed
    assert closed.outcome == ("ordered" if was_approved else "write_unknown")
    assert world.placed() == out
    assert await asked(app) == []


async def test_what_is_over_in_the_ledger_is_not_asked_about(world: World) -> None:
    await ordered(world)
    assert await asked(world.restored(EVENTS)) == []


async def test_what_was_not_written_goes_on(world: World) -> None:
    app = world.app()
    await have_approved(app, TENANT, NAME)
    [found] = await asked(app)
    assert found.finding == "nothing"
    assert isinstance(await write_approved(app, WORK), Written)


async def test_something_else_at_the_destination_is_marked(world: World) -> None:
    app = world.app()
    await have_approved(app, TENANT, NAME)
    await world.orders.write(tenant=TENANT, operation_id=NAME, data=b"Other chairs")
    [found] = await asked(app)
    assert found.finding == "contradiction"
    closed = (await state_of(app)).closed
    assert closed
    assert closed.outcome == "write_unknown"


@pytest.mark.skipif(
    os.name == "nt", reason="a folder is a file here, which Windows tells otherwise"
)
async def test_a_destination_that_does_not_answer_is_named_and_nothing_is_recorded(
    world: World, tmp_path: Path
) -> None:
    await ordered(world)
    app = world.restored(3)
    (tmp_path / "none").write_bytes(b"")
    away = replace(app, orders=ReportFolder(tmp_path / "none"))
    [found] = await asked(away)
    assert found.finding == "unknown"
    [without] = await asked(replace(app, orders=None))
    assert without.finding == "unknown"
    assert (await state_of(app)).sequence == 3


async def test_a_contradiction_is_told_people_and_stands_in_a_ledger_that_proofs_accept(
    world: World,
) -> None:
    await ordered(world)
    app = world.restored(3)
    await asked(app)
    operation = await app.operations.examined(TENANT, NAME)
    assert operation
    assert operation.closed
    changed = await app.operations.change(
        TENANT, NAME, lambda state, now: decide(state, now, "approve")
    )
    assert not isinstance(changed, Changed)


@pytest.mark.parametrize("events", range(1, EVENTS))
async def test_where_nobody_can_ask_it_is_told_and_what_was_approved_is_not_sent_again(
    world: World, events: int
) -> None:
    await ordered(world)
    sent: list[bytes] = []

    async def purchasing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sent.append(await reader.readline())
        writer.close()

    async with await asyncio.start_server(purchasing, "127.0.0.1", 0) as server:
        url = "http://{}:{}".format(*server.sockets[0].getsockname())
        blind = OrderService(Purchasing(url=url, guards=frozenset()))
        app = replace(world.restored(events), orders=blind)
        # With a receipt there is nothing to look up.
        written = events == EVENTS - 1
        for _ in range(2):
            [found] = await asked(app)
            assert found.finding == ("confirmed" if written else "unasked")
            assert written or "has no lookup" in found.text
        operation = await state_of(app)
        assert not operation.closed
        if not written and operation.current and operation.current.status == "approved":
            with pytest.raises(DestinationUnavailable, match="may be in transit"):
                await write_approved(app, WORK)
    assert sent == []


async def test_what_is_there_though_it_was_refused_is_marked_with_both(world: World) -> None:
    await ordered(world)
    app = world.restored(EVENTS - 3)
    operation = await state_of(app)
    assert operation.current
    assert operation.current.status == "approved"
    await app.operations.change(
        TENANT,
        NAME,
        lambda state, now: writes.reserve_write(
            state, 1, operation.proposals[0].digest, now, "first"
        ),
    )
    await app.operations.change(
        TENANT, NAME, lambda state, now: writes.refuse_write(state, "No stock.", now, "first")
    )
    [found] = await asked(app)
    assert found.finding == "contradiction"
    assert "Its ledger says that nothing was written: No stock." in found.text
