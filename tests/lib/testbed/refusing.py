"""A model's provider that gives every request the same answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Event

from testbed.chat_provider import completion
from testbed.serving import Quiet, serving

SECONDS_BETWEEN = 0.2
"""Between two pieces of an endless answer."""


class RefusingProvider:
    """It takes chat completions, and answers as it is told to.

    Attributes:
        settings: What makes an app ask it.
        requests: How many came so far.
        status: The HTTP status of its answers.
        body: Their JSON, as it is sent.
        endless: The piece that its answers are made of, in place of all this, for ever.
        closing: Ends them.
    """

    def __init__(self, port: int) -> None:
        self.settings = {
            "COUNTERSIGN_MODEL_PROVIDER": "compatible",
            "COUNTERSIGN_MODEL": "refusing",
            "COUNTERSIGN_MODEL_URL": f"http://127.0.0.1:{port}/v1",
        }
        self.requests = 0
        self.endless = ""
        self.closing = Event()
        self.refuses(401, "invalid_api_key")

    def refuses(self, status: int, code: str) -> None:
        """Answer with an error from now on."""
        self.status = status
        error = {"message": "-", "type": "error", "code": code}
        self.body = json.dumps({"error": error}).encode()

    def says(self, text: str) -> None:
        """Answer with a text from now on."""
        self.status, self.body = completion({}, {"content": text})


@contextmanager
def refusing_provider() -> Iterator[RefusingProvider]:
    """One on a free port, until the end of the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    provider = RefusingProvider(server.server_port)

    class Completions(Quiet):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            provider.requests += 1
            if provider.endless:
                self._go_on_and_on()
                return
            self.send_response(provider.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(provider.body)))
            self.end_headers()
            self.wfile.write(provider.body)

        def _go_on_and_on(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            choice = {"index": 0, "delta": {"content": provider.endless}, "finish_reason": None}
            chunk = {"id": "c-1", "object": "chat.completion.chunk", "created": 1}
            told = json.dumps({**chunk, "model": "refusing", "choices": [choice]})
            while not provider.closing.wait(SECONDS_BETWEEN):
                self.wfile.write(f"data: {told}\n\n".encode())
                self.wfile.flush()

    server.RequestHandlerClass = Completions
    with serving(server):
        yield provider
        provider.closing.set()
