from __future__ import annotations

from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from devhost.app import Answer, Call
from devhost.catalogue import Catalogue, Function
from devhost.clock import SystemClock
from devhost.console import Console
from devhost.http_triggers import HttpTriggers


class Echo:
    """An app of one function that answers as it was made to."""

    catalogue = Catalogue([Function(name="f", trigger={"type": "httpTrigger"})])

    def __init__(self, status: int, headers: list[list[str]]) -> None:
        self._extra: dict[str, Any] = {"status": status, "headers": headers}

    async def call(self, call: Call) -> Answer:
        assert call.function == "f"
        return Answer(body=b"body", extra=self._extra)


async def answer(status: int, *headers: list[str]) -> httpx.Response:
    triggers = HttpTriggers(
        Echo(status, list(headers)), "api", lambda _: {}, Console(SystemClock())
    )
    app = Starlette(routes=[Route("/{path:path}", triggers.answer)])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
        return await client.get("http://host/api/f")


@pytest.mark.parametrize(
    ("status", "header"),
    [
        (200, ["X-Name", "\u6771\u4eac"]),
        (200, ["X-N\u00e4me", "value"]),
        (200, ["X-Name", "one\r\nX-Other: two"]),
        (7, ["X-Name", "value"]),
    ],
)
async def test_an_answer_that_http_cannot_carry_names_its_function(
    status: int, header: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    refused = await answer(status, header)
    assert refused.status_code == 500
    assert refused.text.startswith("f answered with a ")
    assert refused.text.strip() in capsys.readouterr().out


async def test_any_header_of_latin_1_goes_through() -> None:
    given = await answer(201, ["X-Name", "Gr\u00fc\u00dfe aus K\u00f6ln"], ["X-Empty", ""])
    assert given.status_code == 201
    assert given.headers["x-name"] == "Gr\u00fc\u00dfe aus K\u00f6ln"
