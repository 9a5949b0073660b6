"""Looks share a connection, each order has one of its own, and none outlives its event loop."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from countersign.destinations.destination import DestinationUnavailable
from countersign.destinations.order_service import OrderService
from countersign.destinations.purchasing import Purchasing
from countersign.platform.threads import Threads

HERE: dict[str, Any] = {"tenant": "home", "operation_id": "op-1"}
NOTHING = b'{"orders": []}'


class Service:
    """It keeps connections, which it says nothing about, and remembers what came over each.

    Args:
        most: so many requests are answered on a connection; it ends when one more comes.
    """

    url = ""

    def __init__(self, most: int) -> None:
        self.most = most
        self.order = b""
        self.came: list[list[str]] = []
        self.heads: list[str] = []
        self.ended: list[asyncio.Task[None] | None] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.ended.append(asyncio.current_task())
        came: list[str] = []
        self.came.append(came)
        try:
            while head := await self._head(reader):
                came.append(head.split(" ", 1)[0])
                self.heads.append(head.casefold())
                if len(came) > self.most:
                    break
                writer.write(self._answer(head))
                await writer.drain()
        finally:
            writer.close()

    async def _head(self, reader: asyncio.StreamReader) -> str:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except (asyncio.IncompleteReadError, ConnectionError):
            return ""
        fields = dict(line.casefold().split(": ", 1) for line in head.splitlines()[1:-1])
        await reader.readexactly(int(fields.get("content-length", 0)))
        return head

    def _answer(self, head: str) -> bytes:
        status, body = ("201 Created", self.order) if head.startswith("POST") else ("200", NOTHING)
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Set-Cookie: seen=1", "", ""]
        return "\r\n".join(lines).encode() + body


@asynccontextmanager
async def serving(most: int = 100) -> AsyncIterator[Service]:
    service = Service(most)
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.url = "http://{}:{}".format(*server.sockets[0].getsockname())
    try:
        yield service
    finally:
        server.close()


def orders_to(service: Service) -> OrderService:
    return OrderService(Purchasing(url=service.url))


def confirmed(data: bytes) -> bytes:
    echo = {
        "order_number": "PO-1",
        "reference": "op-1",
        "order": json.loads(data),
        "accepted_at": "2026-11-30T12:00:00Z",
    }
    return json.dumps(echo).encode()


async def test_looks_share_a_connection_and_an_order_has_its_own(
    order: Callable[..., bytes],
) -> None:
    async with serving() as service:
        service.order = confirmed(order(3))
        await orders_to(service).find(**HERE)
        await orders_to(service).write(**HERE, data=order(3))
        assert service.came == [["GET", "GET"], ["POST"]]


async def test_a_look_over_a_connection_that_has_ended_is_repeated() -> None:
    async with serving(most=1) as service:
        for _ in range(3):
            assert await orders_to(service).find(**HERE) is None
        # The second and the third found a connection ended, and had another one.
        assert service.came == [["GET", "GET"], ["GET", "GET"], ["GET"]]


async def test_a_look_is_repeated_once_and_an_order_never(order: Callable[..., bytes]) -> None:
    async with serving(most=0) as service:
        with pytest.raises(DestinationUnavailable):
            await orders_to(service).find(**HERE)
        assert service.came == [["GET"], ["GET"]]
        with pytest.raises(DestinationUnavailable):
            await orders_to(service).write(**HERE, data=order(3), absent=True)
        assert service.came[2:] == [["POST"]]


async def test_many_looks_at_once_don_t_wait_for_each_other() -> None:
    async with serving() as service:
        await asyncio.gather(*(orders_to(service).find(**HERE) for _ in range(150)))
        assert sum(map(len, service.came)) == 150


async def test_what_one_answer_asks_to_keep_is_not_told_to_the_next() -> None:
    async with serving() as service:
        for _ in range(2):
            await orders_to(service).find(**HERE)
        assert not [head for head in service.heads if "cookie" in head]


async def test_a_connection_ends_with_its_event_loop_and_is_used_by_no_other() -> None:
    async with serving() as service:
        destination = orders_to(service)

        def look() -> None:
            asyncio.run(destination.find(**HERE))

        threads = Threads("looks", 2)
        await asyncio.gather(destination.find(**HERE), threads.run(look), threads.run(look))
        await threads.run(look)
        await destination.find(**HERE)
        assert sorted(map(len, service.came)) == [1, 1, 1, 2]
        # The service hears the end of those of the three other loops.
        last = {each for each in service.ended if each}
        while len(last) > 1:
            _, last = await asyncio.wait(last, return_when=asyncio.FIRST_COMPLETED)
