"""HTTP as a load driver needs it: one kept connection, one request at a time, little else."""

from __future__ import annotations

import asyncio
import json
from typing import Any


class Client:
    """One connection to the host, made anew whenever it has broken or the host has closed it.

    Args:
        port: The host's port on the loopback address.
        token: The bearer token that it shows, if any.
    """

    def __init__(self, port: int, token: str | None = None) -> None:
        self._port = port
        self._more = f"Authorization: Bearer {token}\r\n" if token else ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Send one request and return the status and the body of its answer.

        Raises:
            OSError: Nobody listens, or the connection broke.
            asyncio.IncompleteReadError: The connection ended before the answer did.
        """
        if self._streams is None or self._streams[0].at_eof():
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"{self._more}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        try:
            writer.write(head.encode() + body)
            return await _answer(reader)
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            raise

    async def json(self, method: str, path: str, *expected: int, body: bytes = b"") -> Any:
        """Send one request, insist on one of the `expected` statuses, and return the document."""
        status, content = await self.request(method, path, body)
        if status not in expected:
            raise RuntimeError(f"{method} {path} answered {status}: {content[:200]!r}")
        return json.loads(content) if content else None

    def close(self) -> None:
        """Give the connection up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines if line)
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return int(first.split()[1]), body
