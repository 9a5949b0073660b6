"""The host's HTTP side: which part answers what, and who may ask at all."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Route, request_response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from devhost.api.management import Management
from devhost.api.payloads import WRONG, fault
from devhost.config.settings import Settings
from devhost.console import Console
from devhost.engine.timer_triggers import TimerTriggers
from devhost.guards import bounded, own_pages_only
from devhost.http.listener import LOOPBACK
from devhost.http.section import SectionHeaders, Throttle
from devhost.http.targets import BadTarget, read_path, written
from devhost.http.triggers import GONE, HttpTriggers


def web_app(
    *,
    management: Management,
    triggers: HttpTriggers,
    timers: TimerTriggers,
    own: Sequence[Route],
    console: Console,
    settings: Settings,
) -> ASGIApp:
    """Return the ASGI app: the host's `own` routes, management, then those of the app."""
    functions = SectionHeaders(request_response(triggers.answer), settings.http.headers)

    async def run_timer(request: Request) -> Response:
        name = request.path_params["name"]
        if timers.run_now(name):
            return Response(status_code=202)
        reason = f"There is no timer function '{name}'."
        return JSONResponse(fault(WRONG, reason), status_code=404)

    administration = [
        *management.routes(),
        Route("/admin/functions/{name}", run_timer, methods=["POST"]),
    ]
    app = Starlette(
        routes=[
            ByFirstSegment(
                [*own, *bounded(own_pages_only(administration), settings.http.most_bytes)]
            ),
            AnyRequest(Throttle(functions, settings.http)),
        ]
    )
    return RequestLog(LoopbackOnly(_shared(ReadTargets(app), settings), settings.origins), console)


def _shared(app: ASGIApp, settings: Settings) -> ASGIApp:
    """Let the pages of the origins that the settings name call the app."""
    if not settings.origins:
        return app
    return CORSMiddleware(
        app,
        allow_origins=settings.origins,
        allow_credentials=settings.with_credentials,
        allow_methods=["*"],
        allow_headers=["*"],
    )


class ByFirstSegment(BaseRoute):
    """Looks for a request's route among those alone whose paths begin with the same segment."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes: defaultdict[str, list[Route]] = defaultdict(list)
        for route in routes:
            self._routes[_first_segment(route.path)].append(route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return the match of the first route that fits, and that route."""
        for route in self._routes.get(_first_segment(scope["path"]), ()):
            match, found = route.matches(scope)
            if match is Match.FULL:
                return match, {**found, "found": route}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the route that was found."""
        await scope["found"].handle(scope, receive, send)


class AnyRequest(BaseRoute):
    """What answers a request of any method to any path, which a `Route` can't be made to."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Say that it does."""
        return Match.FULL, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        await self._app(scope, receive, send)


class ReadTargets:
    """Reads each request's path as the genuine host does, before anything is looked for by it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 400."""
        if scope["type"] == "http":
            try:
                scope = {**scope, "path": read_path(scope["raw_path"].decode("ascii"))}
            except BadTarget:
                await Response(status_code=400)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class LoopbackOnly:
    """Refuses what a page of another site could send: the address of another host, or its origin.

    The first is how DNS rebinding looks from here, the second a forged cross-site request.

    Args:
        origins: Those whose pages may ask all the same; `*` for any.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str] = ()) -> None:
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 403."""
        if scope["type"] == "http" and not self._may_ask(dict(scope["headers"])):
            refusal = PlainTextResponse(
                "devhost answers only requests to and from this machine.\n", status_code=403
            )
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _may_ask(self, headers: dict[bytes, bytes]) -> bool:
        origin = headers.get(b"origin", b"").decode("latin-1")
        if origin and not {origin, "*"}.isdisjoint(self._origins):
            # Its requests come from another site, and are wanted.
            headers = {b"host": headers.get(b"host", b"")}
        return _is_local(headers)


class RequestLog:
    """Writes a line for each request."""

    def __init__(self, app: ASGIApp, console: Console) -> None:
        self._app = app
        self._console = console

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and write down its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except asyncio.CancelledError:
            # The host ends, and waits no longer for this request.
            if not status:
                await Response(status_code=503)(scope, receive, watch)
        finally:
            took = 1000 * (time.perf_counter() - began)
            tell = self._console.detail if _is_page(scope["path"]) else self._console.line
            # The query may hold a key or a token.
            tell(f"{scope['method']} {written(scope['path'])} {status or GONE} {took:.0f} ms")


def _first_segment(path: str) -> str:
    # Some of the routes are found in any case.
    return path[1:].partition("/")[0].lower()


def _is_page(path: str) -> bool:
    # An open page asks every few seconds.
    return path.startswith("/devhost/") and not path.startswith("/devhost/clock")


def _is_local(headers: dict[bytes, bytes]) -> bool:
    # What a foreign page embeds comes without an origin. Following a link is a person's own doing.
    # For a browser, `localhost` and 127.0.0.1 are two sites; their pages name themselves.
    embedded = headers.get(b"sec-fetch-mode") != b"navigate" and b"origin" not in headers
    if headers.get(b"sec-fetch-site") == b"cross-site" and embedded:
        return False
    named = [b"//" + headers.get(b"host", b"")]
    if b"origin" in headers:
        named.append(headers[b"origin"])
    return all(_hostname(address.decode("latin-1")) in LOOPBACK for address in named)


def _hostname(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
