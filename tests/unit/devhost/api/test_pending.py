"""What the management API says of an instance that has not had its first turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from devhost.api.management import Management
from devhost.app.calls import Answer, Call
from devhost.durable.instance import Start
from devhost.functions.catalogue import Catalogue, Function
from testbed.engine import engine


class Silent:
    """An app whose orchestrator never answers."""

    catalogue = Catalogue([Function(name="o", trigger={"type": "orchestrationTrigger"})])

    async def call(self, call: Call) -> Answer:
        await asyncio.Event().wait()
        raise AssertionError(f"{call.function} was answered")


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with engine(tmp_path, Silent()) as running:
        await running.start(Start(name="o", id="one"))
        app = Starlette(routes=Management(running, "hub").routes())
        transport = httpx.ASGITransport(app)
        base = "http://host/durabletask/"
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            yield client


async def test_it_shows_no_history(client: httpx.AsyncClient) -> None:
    answer = await client.get("instances/one?showHistory=true")
    assert (answer.status_code, answer.json()["runtimeStatus"]) == (202, "Pending")
    assert "historyEvents" not in answer.json()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("DELETE", "instances/one", 412),
        ("POST", "instances/one/rewind", 412),
        ("POST", "orchestrators/o/one", 409),
        ("POST", "instances/one/restart?restartWithNewInstanceId=false", 409),
    ],
)
async def test_it_counts_as_one_that_has_not_ended(
    client: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    refused = await client.request(method, path)
    assert refused.status_code == status
    assert "status Pending" in refused.text
