"""Receivers of notices, as real as a test can have them: a web server and a mail server."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


class Hook:
    """A web server that takes what is posted, or refuses it, or says nothing."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.status = 200
        self.speaks = threading.Event()
        self.speaks.set()
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                hook.bodies.append(json.loads(self.rfile.read(length)))
                hook.speaks.wait()
                self.send_response(hook.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"json://127.0.0.1:{self.server.server_address[1]}"


class Postbox:
    """A mail server that takes every mail."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        postbox = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.say("220 ready")
                for line in self.rfile:
                    verb = line[:4].upper().strip()
                    if verb == b"DATA":
                        self.say("354 go on")
                        postbox.mails.append(self.mail())
                    self.say("221 bye" if verb == b"QUIT" else "250 fine")

            def mail(self) -> EmailMessage:
                lines = iter(self.rfile.readline, b".\r\n")
                text = b"".join(line.removeprefix(b".") for line in lines).decode()
                return message_from_string(text, EmailMessage, policy=policy.default)

            def say(self, line: str) -> None:
                self.wfile.write(f"{line}\r\n".encode())

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        port = self.server.server_address[1]
        self.url = (
            f"mailto://127.0.0.1:{port}?mode=insecure&from=app@home.example&to=ann@home.example"
        )


@contextmanager
def serving(receiver: Hook | Postbox) -> Iterator[None]:
    thread = threading.Thread(target=receiver.server.serve_forever, args=(0.02,))
    thread.start()
    yield
    if isinstance(receiver, Hook):
        receiver.speaks.set()
    receiver.server.shutdown()
    receiver.server.server_close()
    thread.join()


@pytest.fixture
def hook() -> Iterator[Hook]:
    """A web server that is posted to."""
    receiver = Hook()
    with serving(receiver):
        yield receiver


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    """A mail server."""
    receiver = Postbox()
    with serving(receiver):
        yield receiver
