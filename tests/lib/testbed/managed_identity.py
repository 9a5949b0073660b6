"""App Service's endpoint of managed identities, which Azure's libraries ask for tokens."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import pytest

from countersign.platform import own_identity
from countersign.stores import account

Fault = Literal[
    "refused",  # an answer, and no token
    "broken",  # the connection ends without an answer
    "torn",  # it ends in the middle of one
    "garbled",  # an answer that is no JSON
]


class Endpoint:
    """App Service's endpoint of managed identities, with or without a fault."""

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self.seconds = 86_400
        self.asked: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/token"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                endpoint.asked.append(self.path)
                if endpoint.fault == "broken":
                    return
                expires_on = str(int(time.time()) + endpoint.seconds)
                answer = {"access_token": "ours", "expires_on": expires_on, "resource": "r"}
                if endpoint.fault == "refused":
                    answer = {"statusCode": "400", "message": "there is no identity here"}
                body = b"<html>" if endpoint.fault == "garbled" else json.dumps(answer).encode()
                self.send_response(400 if endpoint.fault == "refused" else 200)
                self.send_header("Content-Type", "application/json")
                missing = 1 if endpoint.fault == "torn" else 0
                self.send_header("Content-Length", str(len(body) + missing))
                self.end_headers()
                self.wfile.write(body)

            def log_request(self, code: Any = None, size: Any = None) -> None:
                """Say nothing."""

        return Handler


@contextmanager
def managed_identity(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """Let this process have the identity `the-app`, and no other."""
    endpoint = Endpoint()
    monkeypatch.setenv("IDENTITY_ENDPOINT", endpoint.url)
    monkeypatch.setenv("IDENTITY_HEADER", "secret of this machine")
    monkeypatch.setenv("AZURE_CLIENT_ID", "the-app")
    # The library's own switch: of all the ways to an identity, only this one is tried.
    monkeypatch.setenv("AZURE_TOKEN_CREDENTIALS", "ManagedIdentityCredential")
    forget_identities()
    yield endpoint
    forget_identities()
    endpoint.close()


def forget_identities() -> None:
    for cached in (own_identity.credential, account._table_service, account._blob_service):
        cached.cache_clear()
