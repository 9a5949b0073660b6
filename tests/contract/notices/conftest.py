"""A mail server, as real as a test can have one."""

from __future__ import annotations

import socketserver
from collections.abc import Iterator
from email import message_from_string, policy
from email.message import EmailMessage

import pytest

from testbed.serving import serving


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


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    """A mail server."""
    receiver = Postbox()
    with serving(receiver.server):
        yield receiver
