"""A provider on this machine that speaks the chat completions API and follows a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from typing import Any

import pytest

from testbed.serving import serving

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]

KEY = "sk-very-secret-key"
MODEL = "stub-model"
PATIENCE_SECONDS = 30.0


class Provider:
    """Answers each request with the next step of its script; without one it answers 418."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.script: list[Answer] = []
        self.requests: list[dict[str, Any]] = []
        self.authorizations: list[str | None] = []
        self.closing = Event()

    def says(self, content: str, **usage: int) -> None:
        """Add a step that answers with a text."""
        self.script.append(lambda _: completion({"content": content}, "stop", usage))

    def fills_in(self, **form: Any) -> None:
        """Add a step that answers with a JSON object."""
        self.says(json.dumps(form))

    def calls(self, name: str, **arguments: Any) -> None:
        """Add a step that calls a tool."""
        call = {"name": name, "arguments": json.dumps(arguments)}
        tools = [{"id": f"call-{len(self.script)}", "type": "function", "function": call}]
        message = {"content": None, "tool_calls": tools}
        self.script.append(lambda _: completion(message, "tool_calls", {}))

    def fails(self, status: int) -> None:
        """Add a step that answers with an error in which the key is repeated."""
        error = {"message": f"Incorrect API key {KEY}", "type": "error", "code": None}
        self.script.append(lambda _: (status, json.dumps({"error": error}).encode()))

    def sends(self, body: bytes) -> None:
        """Add a step that answers 200 with these bytes."""
        self.script.append(lambda _: (200, body))

    def hangs(self) -> None:
        """Add a step that doesn't answer before the test is over."""

        def hang(_: dict[str, Any]) -> tuple[int, bytes]:
            self.closing.wait(PATIENCE_SECONDS)
            return 503, b"{}"

        self.script.append(hang)

    def answer(self, request: dict[str, Any], authorization: str | None) -> tuple[int, bytes]:
        """Take the next step."""
        self.requests.append(request)
        self.authorizations.append(authorization)
        return self.script.pop(0)(request) if self.script else (418, b'{"error": "no step left"}')


def completion(message: dict[str, Any], reason: str, usage: dict[str, int]) -> tuple[int, bytes]:
    tokens = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, **usage}
    choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", **message}}
    body = {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [choice],
        "usage": tokens,
    }
    return 200, json.dumps(body).encode()


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider that a test gives its script; every step must be used."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    provider = Provider(f"http://127.0.0.1:{server.server_port}/v1")

    class Completions(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path != "/v1/chat/completions":
                self._send(404, b"{}")
                return
            self._send(*provider.answer(json.loads(body), self.headers.get("Authorization")))

        def _send(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def handle(self) -> None:
            # A client may give up waiting, as it should.
            with suppress(ConnectionError):
                super().handle()

    server.RequestHandlerClass = Completions
    with serving(server):
        yield provider
        provider.closing.set()
    assert not provider.script, "steps of the script were not used"
