"""Somebody who hears notices and, unlike the app, outlives every crash."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


class Listener:
    """A web server that keeps the subjects of what is posted to it."""

    def __init__(self) -> None:
        self.subjects: list[str] = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                listener.subjects.append(json.loads(body)["title"])
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"json://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Somebody to send notices to."""
    listening = Listener()
    thread = threading.Thread(target=listening.server.serve_forever, args=(0.02,))
    thread.start()
    yield listening
    listening.server.shutdown()
    listening.server.server_close()
    thread.join()
