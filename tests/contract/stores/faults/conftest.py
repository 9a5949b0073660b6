"""A network with faults: what a test asks for happens to the next requests on their way."""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, NamedTuple
from uuid import uuid4

import pytest

from countersign.stores.account import StorageAccount

Fault = Literal[
    "unreached",  # the connection breaks before the service hears of it
    "lost",  # the service does it, and the connection breaks
    "torn",  # the same in the middle of the answer
    "failed",  # the service does it and says that it failed
    "failed inside",  # it says so within the answer to a transaction, whose own status is fine
    "busy",  # the service says to come back in a second
    "throttled",  # the same with another status
    "long",  # the service says to come back in an hour
    "forbidden",  # the identity lacks a role
    "being deleted",  # a table or a container of that name
]

_CODE = "x-ms-error-code"
_ANSWERS: dict[str, tuple[int, dict[str, str]]] = {
    "failed": (500, {}),
    "failed inside": (202, {"Content-Type": "multipart/mixed; boundary=batch"}),
    "busy": (503, {"Retry-After": "1"}),
    "throttled": (429, {"Retry-After": "1"}),
    "long": (503, {"Retry-After": "3600"}),
    "forbidden": (403, {_CODE: "AuthorizationPermissionMismatch"}),
    "being deleted": (409, {_CODE: "ContainerBeingDeleted"}),
}
_DONE = {None, "lost", "torn", "failed", "failed inside"}
_INSIDE = b"""--batch
Content-Type: multipart/mixed; boundary=changeset

--changeset
Content-Type: application/http
Content-Transfer-Encoding: binary

HTTP/1.1 500 Internal Server Error
Content-Type: application/json

{"odata.error": {"code": "OperationTimedOut", "message": {"lang": "en", "value": "0:Too slow."}}}
--changeset--
--batch--
"""


class Request(NamedTuple):
    method: str
    path: str
    at: float


class Network(ThreadingHTTPServer):
    """Stands before one service of Azurite, and remembers the requests that it saw."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passage)
        self.service_port = port
        self.requests: list[Request] = []
        self._faults: deque[Fault | None] = deque()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def break_next(self, *faults: Fault | None) -> None:
        """Let these happen to the next requests, one each (None: all is well); forget the past."""
        self.requests.clear()
        self._faults = deque(faults)

    def fault(self) -> Fault | None:
        return self._faults.popleft() if self._faults else None

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet about connections that were broken on purpose."""


class _Passage(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        assert isinstance(self.server, Network)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append(Request(self.command, self.path, time.monotonic()))
        fault = self.server.fault()
        answer = b""
        if fault in _DONE:
            answer = self._pass_on(self.server.service_port, body)
        if fault and fault in _ANSWERS:
            self._say(*_ANSWERS[fault], _INSIDE if fault == "failed inside" else b"")
        elif fault is None:
            self.wfile.write(answer)
        else:
            self.wfile.write(answer[: len(answer) // 2] if fault == "torn" else b"")
            self.close_connection = True

    do_POST = do_PUT = do_DELETE = do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def _pass_on(self, port: int, body: bytes) -> bytes:
        connection = HTTPConnection("127.0.0.1", port)
        connection.request(self.command, self.path, body, dict(self.headers))
        with connection.getresponse() as response:
            content = response.read()
            head = [f"HTTP/1.1 {response.status} {response.reason}"]
            kept = [
                f"{name}: {value}"
                for name, value in response.getheaders()
                if name.lower() not in {"transfer-encoding", "connection", "content-length"}
            ]
        connection.close()
        length = [] if response.status == 204 else [f"Content-Length: {len(content)}"]
        return "\r\n".join([*head, *kept, *length, "", ""]).encode() + content

    def _say(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def network(azurite: str) -> Iterator[Callable[[str], Network]]:
    """Puts a network with faults before the `Table` or the `Blob` service."""
    networks: list[Network] = []

    def build(service: str) -> Network:
        networks.append(Network(int(_port(azurite, service))))
        return networks[-1]

    yield build
    for each in networks:
        each.shutdown()
        each.server_close()


@pytest.fixture
def tables(network: Callable[[str], Network]) -> Network:
    return network("Table")


@pytest.fixture
def blobs(network: Callable[[str], Network]) -> Network:
    return network("Blob")


@pytest.fixture
def account(azurite: str, tables: Network, blobs: Network) -> StorageAccount:
    text = azurite
    for service, to in (("Table", tables), ("Blob", blobs)):
        text = text.replace(f":{_port(azurite, service)}/", f":{to.server_port}/")
    return StorageAccount(connection_string=text, prefix=f"t{uuid4().hex[:20]}")


def _port(connection_string: str, service: str) -> str:
    found = re.search(rf"{service}Endpoint=http://127.0.0.1:(\d+)/", connection_string)
    assert found
    return found[1]
