"""A model on Azure without a key is asked with a token of the app's own identity."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

import pytest

from countersign import own_identity
from countersign.own_identity import model_token
from countersign.team.budget import TokenBudget
from countersign.team.chat import ModelChoice, chat_client
from countersign.team.errors import ModelUnavailable
from countersign.team.researcher import plan


class Endpoint:
    """App Service's endpoint of managed identities; `status` other than 200 for one that fails."""

    def __init__(self) -> None:
        self.status = 200
        self.asked: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/token"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                endpoint.asked.append(self.path)
                body = {"access_token": "ours", "expires_on": "4102444800", "resource": "r"}
                self.send_response(endpoint.status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_request(self, code: Any = None, size: Any = None) -> None:
                """Say nothing."""

        return Handler


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    endpoint = Endpoint()
    monkeypatch.setenv("IDENTITY_ENDPOINT", endpoint.url)
    monkeypatch.setenv("IDENTITY_HEADER", "secret of this machine")
    monkeypatch.setenv("AZURE_CLIENT_ID", "the-app")
    # The library's own switch: of all the ways to an identity, only this one is tried.
    monkeypatch.setenv("AZURE_TOKEN_CREDENTIALS", "ManagedIdentityCredential")
    own_identity._credential.cache_clear()
    yield endpoint
    own_identity._credential.cache_clear()
    endpoint.close()


async def test_the_token_is_for_models_and_of_the_identity_that_is_named(
    endpoint: Endpoint,
) -> None:
    assert await model_token() == "ours"
    assert "resource=https://cognitiveservices.azure.com" in unquote(endpoint.asked[0])
    assert "client_id=the-app" in endpoint.asked[0]


async def test_a_token_is_asked_for_once_until_it_is_about_to_expire(endpoint: Endpoint) -> None:
    assert await model_token() == await model_token() == "ours"
    assert len(endpoint.asked) == 1


async def test_without_an_identity_the_model_is_unavailable_and_may_be_asked_later(
    endpoint: Endpoint,
) -> None:
    endpoint.status = 400
    choice = ModelChoice(provider="azure", model="m", base_url="https://ours.invalid")
    client = chat_client(choice, model_token)
    with pytest.raises(ModelUnavailable):
        await plan(client, topic="Otters", titles=[], budget=TokenBudget(10_000))
