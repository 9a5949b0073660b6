"""Tries to place one order that stand still, run twice, or hear of it late: no second order."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from countersign.approvals.errors import NotAuthorised
from countersign.approvals.operation import Operation
from countersign.destinations.destination import DestinationUnavailable
from countersign.destinations.order_service import OrderService
from countersign.destinations.purchasing import Guard, Purchasing
from countersign.operations.proposing import close_operation
from countersign.operations.repository import Changed
from countersign.operations.sending import Sending
from countersign.operations.writing import write_approved
from countersign.services import Services
from countersign.steps.records import ClosingWork, Stop, VersionWork, Wait, Written
from countersign.wiring import services
from local.settings import complete
from testbed.approved import have_approved

if TYPE_CHECKING:
    from conftest import MovableClock

TENANT, NAME = "home", "purchase-1"
TIMEOUT = 20.0
WORK = VersionWork(tenant=TENANT, operation_id=NAME, version=1)


@dataclass
class Books:
    """A purchasing system that takes an order or refuses it, once it is let answer.

    Attributes:
        statuses: what it answers to the orders it is sent, in turn; the last one again and again.
        sent: how many orders it was sent.
        placed: the order that it took.
        asked: is set as soon as it was sent one.
        let: what each answer waits for, by its number.
    """

    statuses: list[int]
    url: str = ""
    sent: int = 0
    placed: dict[str, Any] | None = None
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    let: dict[int, asyncio.Event] = field(default_factory=dict)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status, body = await self._answer(head, await reader.readexactly(_length(head)))
        text = json.dumps(body).encode()
        writer.write(f"HTTP/1.1 {status} .\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text)
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        writer.close()

    async def _answer(self, head: str, body: bytes) -> tuple[int, Any]:
        if head.startswith("GET"):
            return 200, {"orders": [self.placed] if self.placed else []}
        number, self.sent = self.sent, self.sent + 1
        self.asked.set()
        if number in self.let:
            await self.let[number].wait()
        status = self.statuses[min(number, len(self.statuses) - 1)]
        if status != 201:
            return status, {"detail": "unknown vendor"}
        self.placed = self.placed or {
            "order_number": "PO-1",
            "accepted_at": "2026-11-30T12:00:00Z",
            **json.loads(body),
        }
        return 201, self.placed


def _length(head: str) -> int:
    lengths = [line for line in head.lower().split("\r\n") if line.startswith("content-length:")]
    return int(lengths[0].partition(":")[2]) if lengths else 0


@dataclass
class Desk:
    """An approved order, the app that places it, and the books where it is placed."""

    app: Services
    books: Books

    async def write(self) -> Written | Wait | Stop | DestinationUnavailable:
        try:
            return await write_approved(self.app, WORK)
        except DestinationUnavailable as error:
            return error

    async def operation(self) -> Operation:
        operation = await self.app.operations.load(TENANT, NAME)
        assert operation
        return operation

    async def digest(self) -> str:
        operation = await self.operation()
        assert operation.current
        return operation.current.digest

    async def close(self, stop: Stop) -> None:
        closing = ClosingWork.of(WORK, ends_as=stop.ends_as, reason=stop.reason)
        await close_operation(self.app, closing)


@pytest.fixture
def embedded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: MovableClock
) -> Iterator[Services]:
    for name, value in complete({}, port=1, data=tmp_path).items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    app = services()
    monkeypatch.setattr(app.operations, "clock", clock)
    yield replace(app, clock=clock)
    services.cache_clear()


@pytest.fixture
def at(embedded: Services) -> Callable[..., Any]:
    """Has an order approved, for books that answer so and guard so."""

    @contextlib.asynccontextmanager
    async def desk(*statuses: int, guards: tuple[Guard, ...] = ("key",)) -> AsyncIterator[Desk]:
        books = Books(list(statuses))
        server = await asyncio.start_server(books.serve, "127.0.0.1", 0)
        books.url = "http://{}:{}".format(*server.sockets[0].getsockname())
        purchasing = Purchasing(
            url=books.url, guards=frozenset(guards), timeout_seconds=TIMEOUT, settling_seconds=0
        )
        app = replace(embedded, orders=OrderService(purchasing, clock=embedded.clock))
        await have_approved(app, TENANT, NAME)
        async with server:
            yield Desk(app, books)

    return desk


async def test_an_activity_that_runs_twice_leaves_no_order_out_of_the_ledger(
    at: Callable[..., Any],
) -> None:
    async with at(400, 201) as desk:
        desk.books.let[0] = asyncio.Event()
        first = asyncio.create_task(desk.write())
        await desk.books.asked.wait()
        # The same activity once more, while the first one waits for its answer
        assert isinstance(await desk.write(), Written)
        desk.books.let[0].set()
        ended = await first
        assert isinstance(ended, Stop)
        await desk.close(ended)
        operation = await desk.operation()
        assert operation.closed
        assert (operation.closed.outcome, desk.books.sent) == ("ordered", 2)


async def test_a_refusal_ends_nothing_while_another_try_waits_for_its_answer(
    at: Callable[..., Any],
) -> None:
    async with at(400, 201) as desk:
        desk.books.let[1] = asyncio.Event()
        desk.books.let[0] = asyncio.Event()
        first = asyncio.create_task(desk.write())
        await desk.books.asked.wait()
        desk.books.asked.clear()
        second = asyncio.create_task(desk.write())
        await desk.books.asked.wait()
        desk.books.let[0].set()
        assert isinstance(await first, DestinationUnavailable)
        desk.books.let[1].set()
        assert isinstance(await second, Written)
        assert (await desk.operation()).receipt


async def test_a_single_try_that_is_refused_ends_as_failed(at: Callable[..., Any]) -> None:
    async with at(400) as desk:
        ended = await desk.write()
        assert isinstance(ended, Stop)
        assert ended.ends_as == "failed"
        assert (await desk.operation()).reservation is None


async def test_after_a_refusal_no_other_run_begins_a_try(at: Callable[..., Any]) -> None:
    async with at(400, 201) as desk:
        refused = await desk.write()
        assert await desk.write() == refused
        assert isinstance(refused, Stop)
        await desk.close(refused)
        operation = await desk.operation()
        assert operation.closed
        assert (operation.closed.outcome, desk.books.sent) == ("failed", 1)


async def test_a_run_that_comes_to_send_after_another_one_s_refusal_sends_nothing(
    at: Callable[..., Any],
) -> None:
    async with at(400, 201) as desk:
        operations = desk.app.operations
        late = Sending(
            app=desk.app, operation=await desk.operation(), version=1, digest=await desk.digest()
        )
        desk.books.let[0] = asyncio.Event()
        first = asyncio.create_task(desk.write())
        await desk.books.asked.wait()
        assert isinstance(await late.reserve(), Changed)
        desk.books.let[0].set()
        refused = await first
        assert isinstance(refused, Stop)
        with pytest.raises(DestinationUnavailable, match="has continued"):
            await late.may_send(timedelta(seconds=TIMEOUT))
        another = Sending(
            app=desk.app, operation=await desk.operation(), version=1, digest=await desk.digest()
        )
        assert isinstance(await another.reserve(), NotAuthorised)
        await desk.close(refused)
        closed = await operations.load(TENANT, NAME)
        assert closed
        assert closed.closed
        assert closed.closed.outcome == "failed"


async def test_what_is_confirmed_after_the_end_is_recorded_and_the_outcome_follows(
    at: Callable[..., Any], clock: MovableClock
) -> None:
    async with at(201, 400) as desk:
        desk.books.let[0] = asyncio.Event()
        slow = asyncio.create_task(desk.write())
        await desk.books.asked.wait()
        clock.move(4 * TIMEOUT)
        ended = await desk.write()
        assert isinstance(ended, Stop)
        assert ended.ends_as == "write_unknown"
        await desk.close(ended)
        desk.books.let[0].set()
        assert isinstance(await slow, Written)
        operation = await desk.operation()
        assert operation.closed
        assert operation.closed.outcome == "ordered"
        assert "after the operation had ended as write_unknown" in operation.closed.reason
        shown = await desk.app.operations.index.get(TENANT, NAME)
        assert shown
        assert shown.state == "ordered"


@pytest.mark.parametrize("stopped", ["wall", "steady"])
@pytest.mark.parametrize("guards", [("key",), ("lookup",), ()], ids=str)
async def test_a_publisher_that_stood_still_before_it_sent_the_order_does_not_send_it(
    at: Callable[..., Any],
    clock: MovableClock,
    monkeypatch: pytest.MonkeyPatch,
    guards: tuple[Guard, ...],
    stopped: str,
) -> None:
    steady = [0.0]
    monkeypatch.setattr("countersign.platform.clock.steady", lambda: steady[0])
    async with at(201, guards=guards) as desk:
        operations = desk.app.operations
        append = operations.ledger.append

        async def frozen(*what: Any, **more: Any) -> Any:
            rows = await append(*what, **more)
            if stopped == "wall":
                clock.move(600)
            else:
                steady[0] += 600
            return rows

        monkeypatch.setattr(operations.ledger, "append", frozen)
        assert isinstance(await desk.write(), DestinationUnavailable)
        assert desk.books.sent == 0
        assert (await desk.operation()).reservation


async def test_an_outage_of_days_leaves_a_few_rows(
    at: Callable[..., Any], clock: MovableClock
) -> None:
    async with at(500) as desk:
        for _ in range(25):
            assert isinstance(await desk.write(), DestinationUnavailable)
            clock.move(10)
        operation = await desk.operation()
        assert len(operation.claims) == 10
        assert operation.updated_at - operation.claims[0].at < timedelta(seconds=101)
