"""Who may ask at all, and what becomes of a request that is still being answered at the end."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from devhost.console import Console
from devhost.http.server import LoopbackOnly, RequestLog
from devhost.time.clock import SystemClock


async def status(headers: dict[str, str]) -> int:
    transport = httpx.ASGITransport(LoopbackOnly(PlainTextResponse("welcome")))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return (await client.get("/", headers=headers)).status_code


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Host": "localhost:7071"},
        {"Origin": "http://127.0.0.1:7071"},
        {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},  # a link was followed
    ],
)
async def test_this_machine_may_ask(headers: Any) -> None:
    assert await status(headers) == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "rebound.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},  # an image of another site
    ],
)
async def test_a_page_of_another_site_may_not(headers: Any) -> None:
    assert await status(headers) == 403


async def test_a_request_that_the_host_waits_for_no_longer_gets_503() -> None:
    begun = asyncio.Event()

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def nothing_more() -> Message:
        raise AssertionError("nobody reads the request")

    sent: list[Any] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/"}
    log = RequestLog(endless, Console(SystemClock()))
    request = asyncio.ensure_future(log(scope, nothing_more, send))
    await begun.wait()
    request.cancel()
    await request
    assert sent[0]["status"] == 503
