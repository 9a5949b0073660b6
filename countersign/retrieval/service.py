"""Ask a service that the operator has named for JSON; it may well be in a private network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import httpx

from countersign.retrieval.errors import PlaceAway

LONGEST_SECONDS = 30.0
MOST_BYTES = 20_000_000


async def ask(method: str, url: str, **request: Any) -> Mapping[str, Any]:
    """Return the JSON object that a service answers with.

    Args:
        method: the HTTP method.
        url: where it is.
        request: what else httpx makes the request of: `params`, `headers`, `json`.

    Raises:
        PlaceAway: it answers nothing, something else, or too much. What it says is not repeated,
            which may hold a key.
    """
    try:
        data = await asyncio.wait_for(_answer(method, url, request), LONGEST_SECONDS)
    except (asyncio.TimeoutError, httpx.TimeoutException) as error:
        raise PlaceAway(f"it took longer than {LONGEST_SECONDS:g} seconds") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise PlaceAway("it cannot be reached") from error
    return read(data)


def read(data: bytes) -> Mapping[str, Any]:
    """Return the JSON object that these bytes are; raises PlaceAway if they are none."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise PlaceAway("its answer cannot be read")
    return said


def entries(said: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the objects in a list of an answer; raises PlaceAway if there is no such list."""
    listed = said.get(name)
    if not isinstance(listed, list):
        raise PlaceAway("its answer cannot be read")
    return [each for each in listed if isinstance(each, dict)]


def text(entry: Mapping[str, Any], name: str) -> str:
    """Return a text of an object; nothing if it has none of that name."""
    value = entry.get(name)
    return value if isinstance(value, str) else ""


async def _answer(method: str, url: str, request: Mapping[str, Any]) -> bytes:
    data = bytearray()
    async with (
        httpx.AsyncClient(timeout=None, trust_env=False) as client,  # noqa: S113 - `ask` limits it
        client.stream(method, url, **request) as response,
    ):
        if response.status_code != 200:
            raise PlaceAway(f"it answered with status {response.status_code}")
        async for part in response.aiter_bytes():
            data += part
            if len(data) > MOST_BYTES:
                raise PlaceAway(f"its answer has more than {MOST_BYTES:,} bytes")
    return bytes(data)
