"""The page at `/`: the app's functions, its instances, and what each of them went through."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from devhost.app.workers import Workers
from devhost.config.settings import Settings
from devhost.functions.catalogue import Function
from devhost.guards import own_pages_only
from devhost.http.triggers import HttpTriggers
from devhost.page.queries import PageQueries
from devhost.time.clock import Clock, stamp
from devhost.time.virtual_clock import VirtualClock

_FILES = Path(__file__).parent
_ASSETS = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Overview:
    """Answers requests for the page, and what it asks for."""

    def __init__(
        self,
        queries: PageQueries,
        *,
        workers: Workers,
        triggers: HttpTriggers,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._queries = queries
        self._workers = workers
        self._triggers = triggers
        self._clock = clock
        self._settings = settings

    def routes(self) -> list[Route]:
        """Return the page's routes."""
        told = [
            Route("/devhost/overview", self._overview),
            Route("/devhost/timeline/{id:path}", self._timeline),
        ]
        return [
            Route("/", self._page),
            *own_pages_only(told),
            *(Route(f"/devhost/{name}", _asset(name, kind)) for name, kind in _ASSETS.items()),
        ]

    async def _page(self, request: Request) -> Response:
        if self._triggers.serves(request):
            return await self._triggers.answer(request)
        return _file("index.html", "text/html")

    async def _overview(self, request: Request) -> Response:
        status = request.query_params.get("status", "")
        summary = await asyncio.to_thread(self._queries.summary, status)
        following = summary.pop("next")
        functions = self._workers.catalogue.functions
        return _json(
            {
                "app": self._settings.app.name,
                "now": stamp(self._clock.now()),
                "virtual": isinstance(self._clock, VirtualClock),
                "broken": self._workers.broken,
                "functions": [_shown(each, self._settings, following) for each in functions],
                **summary,
            }
        )

    async def _timeline(self, request: Request) -> Response:
        course = await asyncio.to_thread(self._queries.course, request.path_params["id"])
        return _json(course) if course else _json({"error": "There is no such instance."}, 404)


def _asset(name: str, kind: str) -> Any:
    async def answer(_: Request) -> Response:
        return _file(name, kind)

    return answer


def _file(name: str, kind: str) -> Response:
    return Response((_FILES / name).read_bytes(), media_type=kind, headers=_HEADERS)


def _json(content: Any, code: int = 200) -> Response:
    return JSONResponse(content, status_code=code, headers=_HEADERS)


def _shown(function: Function, settings: Settings, following: Mapping[str, str]) -> dict[str, Any]:
    trigger = function.trigger
    shown: dict[str, Any] = {"name": function.name, "kind": function.kind.removesuffix("Trigger")}
    if function.kind == "httpTrigger":
        path = str(trigger.get("route") or function.name).strip("/")
        shown["methods"] = [method.upper() for method in trigger.get("methods") or ()]
        shown["path"] = "/" + "/".join(filter(None, (settings.prefix, path)))
    elif function.kind == "timerTrigger":
        shown["schedule"] = function.schedule
        shown["next"] = following.get(function.name)
    elif function.durable_name != function.name:
        shown["alias"] = function.durable_name
    return shown
