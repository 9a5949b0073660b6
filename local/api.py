"""Call an HTTP API on this machine, the app's as one person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

_SECONDS = 30.0
# The host behind the port may be killed and started again between two calls.
_NONE_KEPT = httpx.Limits(max_keepalive_connections=0)


class CallFailed(Exception):
    """The API refused a call or did not answer it; the message tells what it said."""


class Api:
    """The API with one person's token.

    Args:
        port: The loopback port that the app's host listens on.
        token: The person's bearer token; None where nobody asks for one.
    """

    def __init__(self, port: int, token: str | None = None) -> None:
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}",
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=_SECONDS,
            # A proxy set for the internet cannot reach this machine's loopback address.
            trust_env=False,
            limits=_NONE_KEPT,
        )

    def get(self, path: str) -> Any:
        """Return the JSON that GET answers with; raises CallFailed."""
        return _json_of(self._call(path, "GET"))

    def text(self, path: str) -> str:
        """Return the text that GET answers with; raises CallFailed."""
        return self._call(path, "GET").text

    def post(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Any:
        """Return the JSON that POST answers with; raises CallFailed."""
        return _json_of(self._call(path, "POST", json=body, headers=headers))

    def _call(self, path: str, method: str, **more: Any) -> httpx.Response:
        try:
            answer = self._client.request(method, path, **more)
        except httpx.HTTPError as error:
            raise CallFailed(f"{method} {path} did not answer: {error}") from error
        if not answer.is_success:
            said = answer.text[:500]
            raise CallFailed(f"{method} {path} was answered with {answer.status_code}: {said}")
        return answer


def _json_of(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError as error:
        path = answer.request.url.path
        raise CallFailed(f"{path} returned no JSON") from error
