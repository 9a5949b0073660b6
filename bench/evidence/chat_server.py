"""A chat completions API on this machine, that keeps what is asked and answered."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a model says.

    Attributes:
        text: its words.
        asked_tokens: what the request cost.
        tokens: what the answer cost.
        finish: why it ends.
    """

    text: str
    asked_tokens: int
    tokens: int
    finish: str = "stop"


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One request, as text, and its answer."""

    asked: str
    answer: Answer


Model = Callable[[dict[str, Any]], Answer]
"""Answers a request of the chat completions API."""


class ChatServer:
    """Lets a model answer, and keeps what was asked.

    Attributes:
        url: where it answers, once it has been started.
        calls: all that it has answered.
    """

    def __init__(self, model: Model) -> None:
        self.calls: list[Call] = []
        self._model = model
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    @contextmanager
    def serving(self) -> Iterator[ChatServer]:
        """Answer until the end of a `with`."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()

    def answer(self, request: dict[str, Any]) -> Answer:
        """Answer one request."""
        answer = self._model(request)
        self.calls.append(Call(asked=text_of(request), answer=answer))
        return answer


def text_of(request: dict[str, Any]) -> str:
    """All that the messages of a request say."""
    return "\n".join(map(_text, request["messages"]))


def form_of(request: dict[str, Any]) -> str:
    """Return the name of the form that an answer has to be in; nothing if any will do."""
    return request.get("response_format", {}).get("json_schema", {}).get("name", "")


def priced(request: dict[str, Any], text: str) -> Answer:
    """Return an answer of a model that costs what its length says."""
    return Answer(
        text=text,
        asked_tokens=len(text_of(request)) // CHARACTERS_PER_TOKEN,
        tokens=len(text) // CHARACTERS_PER_TOKEN,
    )


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def _handler(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Completions(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = server.answer(request)
            # Whoever has given up waiting is told nothing.
            with suppress(ConnectionError):
                if request.get("stream"):
                    self._stream(answer)
                else:
                    self._send("application/json", json.dumps(_completion(answer)).encode())

        def _stream(self, answer: Answer) -> None:
            pieces = [json.dumps(each) for each in _chunks(answer)]
            body = "".join(f"data: {piece}\n\n" for piece in [*pieces, "[DONE]"])
            self._send("text/event-stream", body.encode())

        def _send(self, kind: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Completions


def _completion(answer: Answer) -> dict[str, Any]:
    message = {"role": "assistant", "content": answer.text}
    choice = {"index": 0, "finish_reason": answer.finish, "message": message}
    return {**_head("chat.completion"), "choices": [choice], "usage": _usage(answer)}


def _chunks(answer: Answer) -> Iterator[dict[str, Any]]:
    head = _head("chat.completion.chunk")
    half = len(answer.text) // 2
    for piece in (answer.text[:half], answer.text[half:]):
        choice = {"index": 0, "delta": {"role": "assistant", "content": piece}}
        yield {**head, "choices": [{**choice, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": answer.finish}]}
    yield {**head, "choices": [], "usage": _usage(answer)}


def _head(kind: str) -> dict[str, Any]:
    return {"id": "c-1", "object": kind, "created": 1, "model": "bench"}


def _usage(answer: Answer) -> dict[str, int]:
    return {
        "prompt_tokens": answer.asked_tokens,
        "completion_tokens": answer.tokens,
        "total_tokens": answer.asked_tokens + answer.tokens,
    }
