"""The HTTP requests that orchestrators make with `call_http`, and the polling after a 202."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from devhost.background import Background
from devhost.durable.failures import failure_details
from devhost.durable.history import Event, Kind, event
from devhost.durable.instance import Activity
from devhost.engine.mailboxes import Mailboxes
from devhost.state.statements import drop_activity, keep_activity, put_message
from devhost.state.store import Store
from devhost.time.clock import Clock, read_stamp, stamp

if TYPE_CHECKING:
    import httpx

Request = dict[str, Any]

_AT_ONCE = 64
# Those of the extension and of .NET.
_USUAL_PAUSE = timedelta(seconds=30)
_TIMEOUT_SECONDS = 100.0
_REDIRECTS = 50
# What a request that isn't one leads to.
_MALFORMED = (AttributeError, KeyError, TypeError, ValueError)
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
# .NET counts these among the headers of the content, which the extension doesn't pass on.
_OF_CONTENT = {
    *("allow", "content-disposition", "content-encoding", "content-language", "content-length"),
    *("content-location", "content-md5", "content-range", "content-type"),
    *("expires", "last-modified"),
}


class CallFailed(Exception):
    """A request has no response."""


class WebCalls:
    """Makes requests until each has a response that isn't 202.

    What is to be polled, and when, replaces the first request in the store, so that another
    process goes on from there.
    """

    def __init__(
        self, store: Store, mailboxes: Mailboxes, clock: Clock, background: Background
    ) -> None:
        self._store = store
        self._mailboxes = mailboxes
        self._clock = clock
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._background = background
        self._client: httpx.AsyncClient | None = None
        self._sent = 0

    @property
    def busy(self) -> bool:
        """Whether a response is being waited for."""
        return self._sent > 0

    def start(self, activity: Activity) -> None:
        """Begin, or go on with, the request that is the input of `activity`."""
        self._background.start(self._run(activity))

    async def close(self) -> None:
        """Stop; the next process begins or polls again."""
        await self._background.close()
        if self._client is not None:
            await self._client.aclose()

    async def _run(self, activity: Activity) -> None:
        never = asyncio.Event()
        try:
            while True:
                request = json.loads(activity.input or "{}")
                if "due" in request:
                    await self._clock.sleep_until(read_stamp(request["due"]), never)
                    if not await self._store.waits_for(activity):
                        return
                response = await self._send(request)
                poll = following(request, response, self._clock.now())
                if poll is None:
                    break
                activity = replace(activity, input=json.dumps(poll))
                await self._store.commit([keep_activity(activity)])
        except CallFailed as error:
            self._report(activity, self._failure(activity, str(error)))
        else:
            self._report(activity, self._success(activity, response))

    async def _send(self, request: Request) -> httpx.Response:
        import httpx

        if self._client is None:
            self._client = _client()
        self._sent += 1
        try:
            async with self._slots:
                return await asyncio.wait_for(
                    self._client.request(
                        request["method"],
                        _checked(request["uri"]),
                        content=request.get("content"),
                        headers=_headers(request),
                    ),
                    _TIMEOUT_SECONDS,
                )
        except asyncio.TimeoutError:
            raise CallFailed(f"no response within {_TIMEOUT_SECONDS:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, *_MALFORMED) as error:
            raise CallFailed(f"{type(error).__name__}: {error}") from error
        finally:
            self._sent -= 1

    def _report(self, activity: Activity, result: Event) -> None:
        message = self._mailboxes.address(activity.instance, result, activity.execution)
        # Nobody waits for this: should it be lost, the request is made once more.
        self._store.commit([drop_activity(activity), put_message(message)])
        self._mailboxes.deliver([message])

    def _success(self, activity: Activity, response: httpx.Response) -> Event:
        result = {
            "statusCode": response.status_code,
            "headers": _response_headers(response),
            "content": response.text,
        }
        fields = {"TaskScheduledId": activity.task, "Result": json.dumps(result)}
        return event(Kind.TaskCompleted, self._clock.now(), **fields)

    def _failure(self, activity: Activity, reason: str) -> Event:
        details = failure_details("System.Net.Http.HttpRequestException", reason)
        fields = {"TaskScheduledId": activity.task, "Reason": reason, "Details": details}
        return event(Kind.TaskFailed, self._clock.now(), **fields)


def _client() -> httpx.AsyncClient:
    # It takes a tenth of a second to import, which most apps needn't wait for.
    import httpx

    # A proxy for the internet can't reach this machine's loopback addresses.
    direct: dict[str, None] = dict.fromkeys(f"all://{name}" for name in _LOOPBACK)
    return httpx.AsyncClient(
        mounts=direct,
        follow_redirects=True,
        max_redirects=_REDIRECTS,
        timeout=_TIMEOUT_SECONDS,
    )


def _checked(address: str) -> str:
    if urlsplit(address).scheme not in ("http", "https"):
        raise CallFailed(f"only http and https can be called, not {address!r}")
    return address


def _headers(request: Request) -> Mapping[str, str]:
    if request.get("tokenSource"):
        raise CallFailed("managed identities are not available on this host")
    headers = dict(request.get("headers") or {})
    named = {name.lower() for name in headers}
    if request.get("content") is not None and "content-type" not in named:
        headers["Content-Type"] = "text/plain; charset=utf-8"
    return headers


def _response_headers(response: httpx.Response) -> dict[str, str | list[str]]:
    headers: dict[str, list[str]] = {}
    for raw, value in response.headers.raw:
        name = raw.decode("latin-1")
        if name.lower() not in _OF_CONTENT:
            headers.setdefault(name, []).append(value.decode("latin-1"))
    return {name: values[0] if len(values) == 1 else values for name, values in headers.items()}


def following(request: Request, response: httpx.Response, now: datetime) -> Request | None:
    """Return the request that polls for the result, with its due time; None if there is no more.

    Raises:
        CallFailed: The address to poll can't be read.
    """
    location = response.headers.get("location")
    if response.status_code != 202 or location is None:
        return None
    headers = dict(request.get("headers") or {})
    return {
        "method": "GET",
        "uri": _joined(str(response.url), location),
        # The key of the function that was called doesn't open its status.
        "headers": {n: v for n, v in headers.items() if n.lower() != "x-functions-key"},
        "tokenSource": request.get("tokenSource"),
        "due": stamp(_due(response.headers.get("retry-after"), now)),
    }


def _joined(base: str, location: str) -> str:
    try:
        return urljoin(base, location)
    except ValueError as error:
        raise CallFailed(f"the answer's Location {location!r} can't be read: {error}") from None


def _due(retry_after: str | None, now: datetime) -> datetime:
    if retry_after is None:
        return now + _USUAL_PAUSE
    try:
        if retry_after.strip().isdigit():
            return now + timedelta(seconds=int(retry_after))
        moment = parsedate_to_datetime(retry_after)
        # Without an offset, or with one of -0000, it is UTC (RFC 9110, section 5.6.7).
        return moment.replace(tzinfo=moment.tzinfo or timezone.utc).astimezone(timezone.utc)
    except (OverflowError, ValueError):
        return now + _USUAL_PAUSE
