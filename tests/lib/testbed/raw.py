"""HTTP requests as they are written, without a client that tidies them."""

from __future__ import annotations

import contextlib
import http.client
import socket
from dataclasses import dataclass
from email.message import Message
from urllib.parse import urlsplit


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What a server answers: the last answer, if it sent interim ones (100 Continue)."""

    status: int
    headers: Message
    body: bytes


def exchange(url: str, request: bytes, *, seconds: float = 60.0) -> Reply:
    """Send these bytes to the server of a URL and read its answer.

    Args:
        url: The server's address.
        request: The whole request; `Connection: close` spares a wait where no length is told.
        seconds: How long to wait for each part of the answer.

    Raises:
        OSError: The server can't be reached, or says nothing in time.
        http.client.HTTPException: It hung up without an answer, or what it says is no HTTP.
    """
    server = urlsplit(url)
    address = (server.hostname or "", server.port or 80)
    with socket.create_connection(address, timeout=seconds) as connection:
        # It may answer before it has read all, and hang up.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(request)
        method = request.partition(b" ")[0].decode("latin-1")
        with http.client.HTTPResponse(connection, method=method) as response:
            response.begin()
            body = response.read()
            return Reply(status=response.status, headers=response.headers, body=body)


def written(
    method: str, target: str, *headers: tuple[str, str], host: str, body: bytes = b""
) -> bytes:
    """The bytes of a request: nothing in it is checked, escaped or completed but what is told here.

    A body gets its Content-Length unless the headers have one, or a Transfer-Encoding.
    """
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers]
    told = {name.lower() for name, _ in headers}
    if body and not told & {"content-length", "transfer-encoding"}:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
