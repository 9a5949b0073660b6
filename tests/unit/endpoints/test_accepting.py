"""Requests that are repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import azure.functions as func
import pytest

from countersign.approvals.person import Person
from countersign.kinds.report import REPORT
from countersign.reports.report_bodies import ReportRequestBody
from countersign.services import Services
from countersign.wiring import services
from endpoints.requests import accept
from local.settings import complete

RITA = Person(id="rita", name="Rita", tenant="home", roles=frozenset())


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    for name, value in complete({}, port=0, data=tmp_path / "data").items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    yield services()
    services.cache_clear()


async def ask(app: Services, client: Any) -> int | None:
    request = func.HttpRequest("POST", "/api/research", headers={"Idempotency-Key": "k"}, body=b"")
    body = ReportRequestBody.model_validate({"topic": "Otters"})
    return (await accept(app, request, client, RITA, REPORT, body)).status


@pytest.mark.parametrize(
    ("status", "starts"),
    [
        # The runtime was away when it was accepted, or has lost it
        (None, 2),
        ("Running", 1),
        ("Failed", 1),
    ],
)
async def test_a_repeated_request_starts_what_never_began(
    app: Services, runtime: Callable[..., Any], waiting: Any, status: str | None, starts: int
) -> None:
    client = runtime({**waiting, "runtimeStatus": status} if status else {})
    assert await ask(app, client) == 202
    assert client.did == ["started"]
    assert await ask(app, client) == 200
    assert client.did == ["started"] * starts
