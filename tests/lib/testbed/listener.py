"""A web server that hears notices and, being none of the app's, outlives every crash of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from testbed.serving import serving


class Listener:
    """It keeps what is posted to it, and answers as it is told to.

    Attributes:
        posted: Each request's path and JSON, in the order of their coming.
        statuses: What it answers at certain paths.
        status: What it answers everywhere else.
        speaks: While this is not set, it answers nothing.
        url: Its address, as Apprise has it.
    """

    def __init__(self) -> None:
        self.posted: list[tuple[str, dict[str, Any]]] = []
        self.statuses: dict[str, int] = {}
        self.status = 200
        self.speaks = threading.Event()
        self.speaks.set()
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                listener.posted.append((self.path, body))
                listener.speaks.wait()
                self.send_response(listener.statuses.get(self.path, listener.status))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"json://127.0.0.1:{self.server.server_address[1]}"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """What was posted, wherever to."""
        return [body for _, body in self.posted]

    @property
    def subjects(self) -> list[str]:
        """The subjects of all notices."""
        return [body["title"] for body in self.bodies]


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Somebody to send notices to."""
    listener = Listener()
    with serving(listener.server):
        yield listener
        listener.speaks.set()
