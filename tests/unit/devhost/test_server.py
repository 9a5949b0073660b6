"""Who may ask at all."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse

from devhost.server import LoopbackOnly


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
