"""Who may ask for what is the host's own, and how much they may send."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message

from devhost.guards import BoundedBody, OwnPagesOnly

OWN = "http://127.0.0.1:7071"


async def status(headers: dict[str, str]) -> int:
    transport = httpx.ASGITransport(OwnPagesOnly(PlainTextResponse("welcome")))
    async with httpx.AsyncClient(transport=transport, base_url=OWN) as client:
        return (await client.post("/", headers=headers)).status_code


@pytest.mark.parametrize(
    "headers",
    [
        {},  # a program
        {"Origin": OWN},
        {"Origin": OWN, "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},  # an address that was typed
        {"Origin": "http://localhost:1", "Host": "localhost:1"},
    ],
)
async def test_programs_and_the_host_s_own_pages_may_ask(headers: Any) -> None:
    assert await status(headers) == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://127.0.0.1:8080"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "https://127.0.0.1:7071"},
        {"Origin": "http://localhost:7071"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "same-site"},  # an image, or a link, of a page at another port
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
        {"Origin": OWN, "Sec-Fetch-Site": "same-site"},
    ],
)
async def test_a_page_of_another_port_may_not(headers: Any) -> None:
    assert await status(headers) == 403


class Connection:
    """A client that sends these parts, or hangs up where there is no more."""

    def __init__(self, *parts: bytes, headers: Any = ()) -> None:
        self.coming = list(parts)
        self.sent: list[Message] = []
        self.seen: list[bytes] = []
        self.scope: Any = {"type": "http", "method": "POST", "path": "/", "headers": headers}
        self.asked = 0

    async def receive(self) -> Message:
        self.asked += 1
        if not self.coming:
            return {"type": "http.disconnect"}
        body = self.coming.pop(0)
        return {"type": "http.request", "body": body, "more_body": body != b""}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen.append((await receive())["body"])
        await PlainTextResponse("read")(scope, receive, send)

    async def exchange(self) -> list[int]:
        await BoundedBody(self.app, 10)(self.scope, self.receive, self.send)
        return [each["status"] for each in self.sent if each["type"] == "http.response.start"]


async def test_a_body_within_the_bound_is_handed_on_whole() -> None:
    client = Connection(b"12345", b"67890", b"")
    assert (await client.exchange(), client.seen) == ([200], [b"1234567890"])


async def test_a_longer_body_is_refused_before_the_rest_of_it_is_read() -> None:
    client = Connection(*[b"123456"] * 100, b"")
    assert (await client.exchange(), client.seen, client.asked) == ([413], [], 2)
    declared = Connection(b"1", b"", headers=[(b"content-length", b"11")])
    assert (await declared.exchange(), declared.asked) == ([413], 0)


async def test_who_hangs_up_gets_no_answer_and_reaches_nobody() -> None:
    client = Connection(b"12345")
    assert (await client.exchange(), client.seen) == ([], [])
