"""The frames that host and worker exchange: a JSON header and a body of bytes."""

from __future__ import annotations

import asyncio
import json
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

_SIZES = struct.Struct("!II")


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: `header` says what it is, `body` holds what must not be re-encoded."""

    header: dict[str, Any]
    body: bytes = b""

    def packed(self) -> bytes:
        """Return the frame as it goes over the wire."""
        header = json.dumps(self.header).encode()
        return _SIZES.pack(len(header), len(self.body)) + header + self.body


async def receive(reader: asyncio.StreamReader) -> Frame:
    """Return the next frame.

    Raises:
        asyncio.IncompleteReadError: The other side has closed the connection.
    """
    header, body = _SIZES.unpack(await reader.readexactly(_SIZES.size))
    content = await reader.readexactly(header + body)
    return Frame(json.loads(content[:header]), content[header:])


def receive_blocking(stream: BinaryIO) -> Frame | None:
    """Return the next frame, or None when the other side has closed the connection."""
    sizes = stream.read(_SIZES.size)
    if len(sizes) < _SIZES.size:
        return None
    header, body = _SIZES.unpack(sizes)
    content = stream.read(header + body)
    if len(content) < header + body:
        return None
    return Frame(json.loads(content[:header]), content[header:])
