"""Servers that stand for somebody else's while a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from socketserver import BaseServer
from threading import Thread


class Quiet(BaseHTTPRequestHandler):
    """Writes no log, and takes it that a client may be killed or give up waiting."""

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(server: BaseServer) -> Iterator[None]:
    """Let a server answer from a thread of its own until the end."""
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
