"""The sample of a purchasing system takes orders from programs, never from a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from samples.purchasing.books import Books
from samples.purchasing.service import Service

ORDER = {
    "reference": "r-1",
    "order": {"vendor": "V", "lines": [{"item": "a"}], "currency": "EUR", "total": "1.00"},
}


async def asked(folder: Path, path: str = "/orders", **request: Any) -> tuple[int, int]:
    """The status of an answer, and how many orders there are then."""
    books = Books(folder)
    guards = frozenset({"key", "lookup"})
    app = Service(books, guards=guards, token=None, hang_up=lambda _: None).app()
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:7080") as client:
        answer = await client.post(path, **request)
    return answer.status_code, len(books.orders())


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://127.0.0.1:8080"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "rebound.example"},
    ],
)
async def test_a_page_orders_nothing_and_plans_no_faults(
    tmp_path: Path, headers: dict[str, str]
) -> None:
    status, orders = await asked(tmp_path, content=json.dumps(ORDER), headers=headers)
    assert status in {400, 403}
    assert orders == 0
    faults = {"faults": ["drop"]}
    assert (await asked(tmp_path, "/faults", json=faults, headers=headers))[0] in {400, 403}


async def test_a_program_orders_and_an_endless_order_is_refused(tmp_path: Path) -> None:
    assert await asked(tmp_path, json=ORDER) == (201, 1)
    assert await asked(tmp_path, content=b" " * 1_000_001) == (413, 1)
