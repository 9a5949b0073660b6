"""The purchasing system that all sides order from: it knows when each order came in."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

Json = dict[str, Any]


class Shop:
    """Answers as docs/purchasing.md asks, from memory and over kept connections.

    Attributes:
        came: when each order came in, by its reference (`time.perf_counter`).
    """

    def __init__(self) -> None:
        self.came: dict[str, float] = {}
        self._orders: dict[str, Json] = {}
        self._awaited: dict[str, asyncio.Future[None]] = {}

    async def open(self) -> None:
        """Begin to listen."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)

    async def close(self) -> None:
        """Stop."""
        self._server.close()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def arrival(self, order: str) -> float:
        """Wait for an order, and return when it came in."""
        if order not in self.came:
            awaited = asyncio.get_running_loop().create_future()
            await self._awaited.setdefault(order, awaited)
        return self.came[order]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                writer.write(self._answer(*await _request(reader)))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def _answer(self, method: str, target: str, body: bytes) -> bytes:
        if method == "GET":
            [reference] = parse_qs(urlsplit(target).query)["reference"]
            found = self._orders.get(reference)
            return _response(200, {"orders": [found] if found else []})
        return _response(201, self._accepted(json.loads(body)))

    def _accepted(self, asked: Json) -> Json:
        reference = asked["reference"]
        if reference in self._orders:
            return self._orders[reference]
        self.came[reference] = time.perf_counter()
        number = f"N-{len(self.came)}"
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self._orders[reference] = {**asked, "order_number": number, "accepted_at": moment}
        if awaited := self._awaited.pop(reference, None):
            awaited.set_result(None)
        return self._orders[reference]


async def _request(reader: asyncio.StreamReader) -> tuple[str, str, bytes]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines if line)
    method, target, _ = first.split()
    return method, target, await reader.readexactly(int(headers.get("content-length", 0)))


def _response(status: int, document: Json) -> bytes:
    body = json.dumps(document).encode()
    head = (
        f"HTTP/1.1 {status} OK\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
