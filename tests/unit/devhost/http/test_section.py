from __future__ import annotations

import asyncio

import httpx
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from devhost.config.http_section import HttpSection
from devhost.http.section import SectionHeaders, Throttle


class Waiting:
    """An app whose answers wait until they are let go.

    Args:
        count: How many have to be under way for `full` to be set.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._under_way = 0
        self.most_under_way = 0
        self.full, self.go = asyncio.Event(), asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._under_way += 1
        self.most_under_way = max(self.most_under_way, self._under_way)
        if self._under_way == self._count:
            self.full.set()
        await self.go.wait()
        self._under_way -= 1
        await PlainTextResponse("")(scope, receive, send)


def client_of(app: ASGIApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://host")


async def test_more_than_may_be_outstanding_are_refused() -> None:
    app = Waiting(2)
    async with client_of(Throttle(app, HttpSection(outstanding=2))) as client:
        two = asyncio.gather(client.get("/"), client.get("/"))
        await app.full.wait()
        refused = await client.get("/")
        app.go.set()
        assert [answer.status_code for answer in await two] == [200, 200]
        assert (refused.status_code, refused.headers["x-function-scaleout"]) == (429, "1")
        assert (await client.get("/")).status_code == 200


async def test_more_than_are_answered_at_a_time_wait() -> None:
    app = Waiting(2)
    async with client_of(Throttle(app, HttpSection(concurrent=2))) as client:
        five = asyncio.gather(*(client.get("/") for _ in range(5)))
        await app.full.wait()
        app.go.set()
        assert [answer.status_code for answer in await five] == [200] * 5
    assert app.most_under_way == 2


async def test_a_header_of_the_section_is_put_where_an_answer_has_none() -> None:
    app = SectionHeaders(
        PlainTextResponse("", headers={"X-Own": "own"}), {"x-own": "other", "X-Added": "added"}
    )
    async with client_of(app) as client:
        answer = await client.get("/")
    assert (answer.headers["x-own"], answer.headers["x-added"]) == ("own", "added")
