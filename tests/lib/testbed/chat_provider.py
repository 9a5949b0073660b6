"""A provider on this machine that speaks the chat completions API and follows a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Event
from types import MappingProxyType
from typing import Any

from testbed.serving import Quiet, serving

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]

KEY = "sk-very-secret-key"
MODEL = "stub-model"
PATIENCE_SECONDS = 30.0
PIECE = 7
"""Characters of an answer that come at once."""


class Provider:
    """Answers each request with the next step of its script; without one it answers 418."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.script: list[Answer] = []
        self.requests: list[dict[str, Any]] = []
        self.authorizations: list[str | None] = []
        self.closing = Event()

    def says(self, content: str | None, finish: str = "stop", **usage: int) -> None:
        """Add a step that answers with a text."""
        self.script.append(lambda asked: completion(asked, {"content": content}, finish, usage))

    def fills_in(self, **form: Any) -> None:
        """Add a step that answers with a JSON object."""
        self.says(json.dumps(form))

    def refuses(self) -> None:
        """Add a step in which the model declines to answer."""
        message = {"content": None, "refusal": "I can't help with that."}
        self.script.append(lambda asked: completion(asked, message, "stop", {}))

    def fails(self, status: int, **error: Any) -> None:
        """Add a step that answers with an error in which the key is repeated."""
        told = {"message": f"Incorrect API key {KEY}", "type": "error", "code": None, **error}
        self.script.append(lambda _: (status, json.dumps({"error": told}).encode()))

    def refuses_with(self, status: int, body: Any) -> None:
        """Add a step that answers with an error in a body of its own."""
        self.script.append(lambda _: (status, json.dumps(body).encode()))

    def sends(self, body: bytes) -> None:
        """Add a step that answers 200 with these bytes."""
        self.script.append(lambda _: (200, body))

    def breaks_off(self, content: str) -> None:
        """Add a step whose connection breaks after a text that was to go on."""
        self.script.append(lambda asked: (200, Broken(begun(asked, content))))

    def fails_on_the_way(self, content: str, **error: Any) -> None:
        """Add a step that streams a text and then an error."""
        told = json.dumps({"error": {"message": f"Incorrect API key {KEY}", **error}})
        self.script.append(
            lambda asked: (200, begun(asked, content) + f"data: {told}\n\n".encode())
        )

    def answers(self, finish: str | None = "stop", **message: Any) -> None:
        """Add a step that answers with a message of its own, or without saying why it ends."""
        self.script.append(lambda asked: completion(asked, {"content": None, **message}, finish))

    def calls(self, name: str, **arguments: Any) -> None:
        """Add a step that calls a tool, whether it was offered one or not."""
        call = {"name": name, "arguments": json.dumps(arguments)}
        tools = [{"index": 0, "id": "call-1", "type": "function", "function": call}]
        message = {"content": None, "tool_calls": tools}
        self.script.append(lambda asked: completion(asked, message, "tool_calls"))

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


class Broken(bytes):
    """A body after which the connection breaks, although more was promised."""


def begun(asked: dict[str, Any], content: str) -> bytes:
    """A streamed answer without its last two pieces: that it ends, and what it cost."""
    _, body = completion(asked, {"content": content})
    return b"\n\n".join(body.split(b"\n\n")[:-4]) + b"\n\n"


def completion(
    asked: dict[str, Any],
    message: dict[str, Any],
    finish: str | None = "stop",
    usage: Mapping[str, int] = MappingProxyType({}),
) -> tuple[int, bytes]:
    """The body of an answer, in pieces if it was asked for so."""
    tokens = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, **usage}
    body = {"id": "c-1", "created": 1, "model": MODEL}
    if asked.get("stream"):
        chunks = [{**body, "object": "chat.completion.chunk", **each} for each in pieces(message)]
        chunks[-1]["choices"][0]["finish_reason"] = finish
        chunks.append({**body, "object": "chat.completion.chunk", "choices": [], "usage": tokens})
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
        return 200, "".join([*lines, "data: [DONE]\n\n"]).encode()
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    whole = {**body, "object": "chat.completion", "choices": [choice], "usage": tokens}
    return 200, json.dumps(whole).encode()


def pieces(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What comes of a message one after the other, the last empty."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for name, text in message.items():
        if isinstance(text, list):
            deltas.append({name: text})
            continue
        cuts = range(0, len(text or ""), PIECE)
        deltas += [{name: text[start : start + PIECE]} for start in cuts]
    for delta in [*deltas, {}]:
        yield {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


@contextmanager
def provided() -> Iterator[Provider]:
    """A provider on a free port, whose script has to be used up."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    provider = Provider(f"http://127.0.0.1:{server.server_port}/v1")

    class Completions(Quiet):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path != "/v1/chat/completions":
                self._send(404, b"{}")
                return
            asked = json.loads(body)
            self._send(*provider.answer(asked, self.headers.get("Authorization")))

        def _send(self, status: int, body: bytes) -> None:
            kind = "text/event-stream" if body.startswith(b"data:") else "application/json"
            self.send_response(status)
            self.send_header("Content-Type", kind)
            promised = len(body) + (100 if isinstance(body, Broken) else 0)
            self.send_header("Content-Length", str(promised))
            self.end_headers()
            self.wfile.write(body)

    server.RequestHandlerClass = Completions
    with serving(server):
        yield provider
        provider.closing.set()
    assert not provider.script, "steps of the script were not used"
