"""One call to a purchasing system, and whether it can have had an effect there.

CallFailed
├── NotSent     no connection was made: it had no effect
└── NoAnswer    it was sent, or may have been: nobody knows
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from countersign.destinations.order_connections import answer_to
from countersign.destinations.purchasing import Purchasing
from countersign.platform.visible import without_deceit

MOST_BYTES = 2**20
"""The longest answer that is read."""

_LONGEST_DETAIL = 120


class CallFailed(Exception):
    """There is no whole answer; the message says why, and holds nothing that was sent."""


class NotSent(CallFailed):
    """No connection was made, so nothing was sent."""


class NoAnswer(CallFailed):
    """It was sent, or may have been, and what came of it is not known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PurchasingAnswer:
    """A whole answer; `told` is what people may read of it, such as "400 (unknown vendor)"."""

    status: int
    body: bytes
    told: str


async def call(
    purchasing: Purchasing,
    method: str,
    *,
    query: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> PurchasingAnswer:
    """Call `/orders`; no redirection is followed, and what is posted is sent once.

    Raises:
        NotSent: no connection was made.
        NoAnswer: what came of it is not known.
    """
    headers = {**_headers(purchasing), **(headers or {})}
    request = {"method": method, "params": query, "headers": headers, "data": body}
    try:
        return await asyncio.wait_for(_exchange(purchasing, request), purchasing.timeout_seconds)
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
        raise NotSent(f"it cannot be reached ({_short(str(error)) or 'no answer'})") from error
    except asyncio.TimeoutError as error:
        raise NoAnswer(f"no answer within {purchasing.timeout_seconds:g} seconds") from error
    except aiohttp.ClientError as error:
        # Its message may quote the answer, which may quote the token; a log would have both.
        raise NoAnswer(f"the answer was incomplete or malformed ({type(error).__name__})") from None


def _headers(purchasing: Purchasing) -> dict[str, str]:
    # Unencoded, because a small compressed answer could unpack to any size.
    headers = {
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
    }
    return headers | ({"Authorization": f"Bearer {purchasing.token}"} if purchasing.token else {})


async def _exchange(purchasing: Purchasing, request: Mapping[str, Any]) -> PurchasingAnswer:
    # The time for a connection ends before that of the call, so that the two can be told apart.
    timeout = aiohttp.ClientTimeout(total=None, connect=purchasing.timeout_seconds / 2)
    address = {"url": f"{purchasing.url}/orders", "timeout": timeout, "allow_redirects": False}
    async with answer_to({**address, **request}) as answer:
        body = await _read(answer)
    told = _told(answer.status, body, purchasing.token)
    return PurchasingAnswer(status=answer.status, body=body, told=told)


async def _read(answer: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for chunk in answer.content.iter_any():
        body += chunk
        if len(body) > MOST_BYTES:
            raise NoAnswer(f"the answer is longer than {MOST_BYTES} bytes")
    return bytes(body)


def _told(status: int, body: bytes, token: str | None) -> str:
    """Return the status, and the `detail` of a problem document (RFC 9457) if there is one."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    detail = document.get("detail") if isinstance(document, dict) else None
    if not isinstance(detail, str):
        return str(status)
    return f"{status} ({_short(detail.replace(token, '…') if token else detail)})"


def _short(text: str) -> str:
    line = " ".join(without_deceit(text).split())
    return line if len(line) <= _LONGEST_DETAIL else f"{line[:_LONGEST_DETAIL]}…"
