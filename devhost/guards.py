"""Who may ask for what is the host's own, and how much they may send."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FORM_BYTES = 65_536
"""The longest form that somebody fills in."""


def own_pages_only(routes: Sequence[Route]) -> list[Route]:
    """Have these routes refuse every page but the host's own; programs may ask."""
    return _wrapped(routes, OwnPagesOnly)


def bounded(routes: Sequence[Route], most_bytes: float) -> list[Route]:
    """Have these routes refuse bodies of more bytes, before they are kept in memory."""
    return _wrapped(routes, lambda app: BoundedBody(app, most_bytes))


def from_own_page(headers: Mapping[str, str], scheme: str = "http") -> bool:
    """Return whether a request comes from no page at all, or from one of the host that is asked.

    A page at another port of this machine is another origin (RFC 6454), though of the same site.
    Browsers name the origin of whatever changes something, and say of all else how far it is:
    https://www.w3.org/TR/fetch-metadata/
    """
    origin = headers.get("origin")
    if origin is not None and origin != f"{scheme}://{headers.get('host', '')}":
        return False
    return headers.get("sec-fetch-site", "none") in {"none", "same-origin"}


class OwnPagesOnly:
    """Answers 403 to the pages of every other origin, those of other local ports included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        request = Request(scope)
        if from_own_page(request.headers, scope["scheme"]):
            await self._app(scope, receive, send)
            return
        refusal = PlainTextResponse("Only this host's own pages may ask for this.\n", 403)
        await refusal(scope, receive, send)


class BoundedBody:
    """Answers 413 to a body that is too long, and nothing to a client that has hung up."""

    def __init__(self, app: ASGIApp, most_bytes: float) -> None:
        self._app = app
        self._most = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its whole body, or refuse it."""
        declared = Request(scope).headers.get("content-length", "0")
        body = await self._read(receive) if int(declared) <= self._most else None
        if body is None:
            refusal = PlainTextResponse(f"A body may have {self._most:.0f} bytes.\n", 413)
            await refusal(scope, receive, send)
        elif body["type"] != "http.disconnect":
            await self._app(scope, _first(body, receive), send)

    async def _read(self, receive: Receive) -> Message | None:
        parts, size, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return message
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._most:
                return None
            more = message.get("more_body", False)
        return {"type": "http.request", "body": b"".join(parts), "more_body": False}


def _first(message: Message, receive: Receive) -> Receive:
    coming = [message]

    async def next_message() -> Message:
        return coming.pop() if coming else await receive()

    return next_message


def _wrapped(routes: Sequence[Route], guard: Callable[[ASGIApp], ASGIApp]) -> list[Route]:
    for route in routes:
        route.app = guard(route.app)
    return list(routes)
