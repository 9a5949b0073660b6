"""Call an HTTP API on this machine, the app's as one person."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any

# A proxy set for the internet cannot reach this machine's loopback address.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class CallFailed(Exception):
    """The API refused a call or did not answer it; the message tells what it said."""


class Api:
    """The API with one person's token.

    Args:
        port: The loopback port that the app's host listens on.
        token: The person's bearer token; None where nobody asks for one.
    """

    def __init__(self, port: int, token: str | None = None) -> None:
        self._port = port
        self._token = token

    def get(self, path: str) -> Any:
        """Return the JSON that GET answers with; raises CallFailed."""
        return _read_json(self.text(path), path)

    def text(self, path: str) -> str:
        """Return the text that GET answers with; raises CallFailed."""
        return self._call(urllib.request.Request(f"http://127.0.0.1:{self._port}{path}"))

    def post(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Any:
        """Return the JSON that POST answers with; raises CallFailed."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}{path}",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **(headers or {})},
        )
        return _read_json(self._call(request), path)

    def _call(self, request: urllib.request.Request) -> str:
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        call = f"{request.get_method()} {request.selector}"
        try:
            with _DIRECT.open(request, timeout=30) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                said = error.read().decode("utf-8", "replace")[:500]
            raise CallFailed(f"{call} was answered with {error.code}: {said}") from error
        except (OSError, HTTPException, UnicodeDecodeError) as error:
            raise CallFailed(f"{call} had no answer: {error}") from error


def _read_json(text: str, path: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise CallFailed(f"{path} was answered with something other than JSON") from error
