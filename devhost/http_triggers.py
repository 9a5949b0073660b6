"""HTTP triggers: the app's own routes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from devhost.app import Answer, App, Call
from devhost.catalogue import Function
from devhost.console import Console
from devhost.errors import AppUnavailable, CallLost
from devhost.platform_headers import RESERVED
from devhost.templates import Template, template

# These are settled between the host and its client.
_TRANSPORT_HEADERS = {"content-length", "transfer-encoding", "connection", "keep-alive"}

# RFC 9110, sections 5.1 and 5.5
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?")


@dataclass(frozen=True, slots=True)
class _Route:
    function: str
    methods: frozenset[str]
    template: Template


class HttpTriggers:
    """Finds the function of a request and lets it answer.

    Args:
        prefix: The first part of every path, without slashes; may be empty.
        signed_in: Returns what the sign-in adds to a request.
    """

    def __init__(
        self,
        app: App,
        prefix: str,
        signed_in: Callable[[Request], Mapping[str, str]],
        console: Console,
    ) -> None:
        self._app = app
        self._prefix = prefix
        self._signed_in = signed_in
        self._console = console
        self._routes: list[_Route] = []
        self._indexed: object = None

    async def answer(self, request: Request) -> Response:
        """Answer a request to any path."""
        found = self._find(request)
        if found is not None:
            return await self._call(*found, request)
        return Response(status_code=404)

    def serves(self, request: Request) -> bool:
        """Tell whether the app has a function for a request."""
        return self._find(request) is not None

    def _find(self, request: Request) -> tuple[str, dict[str, str]] | None:
        path = request.scope.get("raw_path", request.url.path.encode()).decode("latin-1")
        for route in self._table():
            parameters = route.template.match(path.partition("?")[0])
            if parameters is not None and (not route.methods or request.method in route.methods):
                return route.function, parameters
        return None

    def _table(self) -> list[_Route]:
        catalogue = self._app.catalogue
        # A restarted worker may have indexed other code.
        if catalogue is not self._indexed:
            self._indexed = catalogue
            self._routes = self._build(catalogue.of_kind("httpTrigger"))
        return self._routes

    def _build(self, functions: Iterable[Function]) -> list[_Route]:
        routes = []
        for function in functions:
            try:
                routes.append(self._route(function))
            except (ValueError, re.error) as error:
                self._console.line(f"{function.name} can't be reached: {error}")
        return sorted(routes, key=lambda route: route.template.weight)

    def _route(self, function: Function) -> _Route:
        route = function.trigger.get("route")
        path = function.name if route is None else route
        methods = frozenset(method.upper() for method in function.trigger.get("methods") or ())
        return _Route(function.name, methods, template(f"{self._prefix}/{path}"))

    async def _call(self, function: str, params: dict[str, str], request: Request) -> Response:
        sent = ((n, v) for n, v in request.headers.items() if not n.startswith(RESERVED))
        http = {
            "method": request.method,
            "url": str(request.url),
            "headers": {**_joined(sent), **self._signed_in(request)},
            "params": params,
            "query": _joined(request.query_params.multi_items()),
        }
        body = await request.body()
        try:
            answer = await self._app.call(Call(function=function, body=body, extra={"http": http}))
        except AppUnavailable as closed:
            return Response(f"{closed}\n", status_code=503, media_type="text/plain")
        except CallLost as lost:
            return Response(f"{function}: {lost}\n", status_code=502, media_type="text/plain")
        if answer.error is not None:
            return Response(status_code=500)
        if fault := _fault(answer):
            self._console.line(f"{function} {fault}")
            return Response(f"{function} {fault}\n", status_code=500, media_type="text/plain")
        response = Response(answer.body, status_code=answer.extra["status"])
        for name, value in answer.extra["headers"]:
            if name.lower() not in _TRANSPORT_HEADERS:
                response.headers.append(name, value)
        return response


def _fault(answer: Answer) -> str | None:
    """Return what HTTP can't carry of an answer, to follow the function's name; None if all."""
    status = answer.extra["status"]
    if not 200 <= status <= 999:
        return f"answered with a status that HTTP doesn't have: {status}"
    for name, value in answer.extra["headers"]:
        if not (_NAME.fullmatch(name) and isinstance(value, str) and _VALUE.fullmatch(value)):
            return f"answered with a header that HTTP can't carry: {name!r}"
    return None


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined
