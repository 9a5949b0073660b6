"""What a view is handed, and what becomes of what it returns."""

from __future__ import annotations

import json
from typing import Any

import azure.functions as func
import pytest

from countersign.sources.library import MissingFolder
from countersign.stores.artifacts import DamagedArtifact, MissingArtifact
from countersign.stores.errors import StoreUnavailable
from endpoints.answers.service import Health
from endpoints.exchange import Exchange, Response
from endpoints.sent import Sent


def request(**given: Any) -> func.HttpRequest:
    return func.HttpRequest(**{"method": "GET", "url": "/api/x", "body": b"", **given})


async def answer(view: Any, asked: func.HttpRequest | None = None, **more: Any) -> Any:
    return await Exchange(view=view, template="x", **more).answer(asked or request())


async def test_a_view_that_names_nothing_works_where_nothing_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unset() -> None:
        raise AssertionError("nobody needs the services")

    monkeypatch.setattr("endpoints.exchange.services", unset)

    async def view() -> Health:
        return Health(status="ok")

    response = await answer(view)
    assert (response.status_code, json.loads(response.get_body())) == (
        200,
        {"status": "ok", "served_by": None, "clock_ahead_seconds": None, "warning": None},
    )
    assert response.mimetype == "application/json"
    assert response.headers["Cache-Control"] == "no-store"


async def test_a_view_is_handed_the_request_and_its_body() -> None:
    async def view(req: func.HttpRequest, sent: Sent[bytes]) -> Response[Health]:
        assert sent.content == b"bytes"
        return Response(body=Health(status="ok"), status=201, headers={"Location": req.url})

    response = await answer(view, request(method="POST", body=b"bytes"))
    assert (response.status_code, response.headers["Location"]) == (201, "/api/x")


async def test_a_view_that_names_no_status_is_answered_with_the_routes() -> None:
    async def view() -> Health:
        return Health(status="ok")

    assert (await answer(view, status=202)).status_code == 202


@pytest.mark.parametrize("error", [MissingFolder("/srv/library"), StoreUnavailable("/srv/db")])
async def test_what_is_away_is_no_unexpected_error_and_names_nothing_of_the_machine(
    error: Exception,
) -> None:
    async def view() -> Health:
        raise error

    response = await answer(view)
    told = json.loads(response.get_body())
    assert (response.status_code, told["code"]) == (503, "store_unavailable")
    assert "/srv" not in json.dumps(told)


@pytest.mark.parametrize("error", [MissingArtifact("/srv/a"), DamagedArtifact("/srv/a")])
async def test_a_text_that_is_lost_is_not_said_to_be_away_for_a_while(error: Exception) -> None:
    async def view() -> Health:
        raise error

    response = await answer(view)
    told = json.loads(response.get_body())
    assert (response.status_code, told["code"]) == (409, "text_lost")
    assert "Retry-After" not in response.headers
    assert "/srv" not in json.dumps(told)
