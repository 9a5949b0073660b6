"""HTTP triggers: the app's own routes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from devhost.app.calls import Answer, App, Call
from devhost.console import Console
from devhost.errors import AppUnavailable, CallLost
from devhost.functions.catalogue import Function
from devhost.functions.templates import Template, template
from devhost.http.messages import respond, told
from devhost.http.targets import BadTarget

GONE = 499
"""What the log has of a client that hung up before its answer; nobody else gets to see it."""


@dataclass(frozen=True, slots=True)
class _Route:
    function: Function
    methods: frozenset[str]
    template: Template


class HttpTriggers:
    """Finds the function of a request and lets it answer.

    Args:
        prefix: The first part of every path, without slashes; may be empty.
        signed_in: Returns what the sign-in adds to a request.
        most_bytes: The longest body that a function is given.
    """

    def __init__(
        self,
        app: App,
        prefix: str,
        signed_in: Callable[[Request], Mapping[str, str]],
        console: Console,
        most_bytes: float = float("inf"),
    ) -> None:
        self._app = app
        self._prefix = prefix
        self._signed_in = signed_in
        self._console = console
        self._most_bytes = most_bytes
        self._routes: list[_Route] = []
        self._indexed: object = None

    async def answer(self, request: Request) -> Response:
        """Answer a request to any path."""
        found = self._find(request)
        if found is None:
            return Response(status_code=404)
        function, parameters = found
        return await self._call(function, parameters, request)

    def serves(self, request: Request) -> bool:
        """Tell whether the app has a function for a request."""
        return self._find(request) is not None

    def _find(self, request: Request) -> tuple[str, dict[str, str]] | None:
        """Return the function that answers and the parameters of its route.

        The first that fits is the one, however closely another would.
        """
        for route in self._table():
            parameters = route.template.match(request.scope["path"])
            if parameters is not None and (
                not route.methods or request.method.upper() in route.methods
            ):
                return None if route.function.disabled else (route.function.name, parameters)
        return None

    def _table(self) -> list[_Route]:
        catalogue = self._app.catalogue
        # A restarted worker may have indexed other code.
        if catalogue is not self._indexed:
            self._indexed = catalogue
            functions = sorted(catalogue.of_kind("httpTrigger"), key=lambda each: each.name.upper())
            self._routes = [self._route(function) for function in functions]
        return self._routes

    def _route(self, function: Function) -> _Route:
        path = function.trigger.get("route") or function.name
        methods = frozenset(method.upper() for method in function.trigger.get("methods") or ())
        return _Route(function, methods, template(f"{self._prefix}/{path}"))

    async def _call(self, function: str, params: dict[str, str], request: Request) -> Response:
        try:
            http = told(request, params, self._signed_in(request))
        except BadTarget:
            return Response(status_code=400)
        if int(request.headers.get("content-length", 0)) > self._most_bytes:
            return self._failed(function, f"was sent more than {self._most_bytes} bytes")
        try:
            body = await _body(request)
        except ClientDisconnect:
            return Response(status_code=GONE)
        call = Call(function=function, body=body, extra={"http": http})
        try:
            answer = await self._app.call(call)
        except AppUnavailable as closed:
            return Response(f"{closed}\n", status_code=503, media_type="text/plain")
        except CallLost as lost:
            return self._failed(function, f"has no answer: {lost}")
        return self._answer(function, answer, request)

    def _answer(self, function: str, answer: Answer, request: Request) -> Response:
        if answer.error is not None:
            return Response(status_code=500)
        try:
            return respond(answer, to=request.method)
        except ValueError as error:
            return self._failed(function, f"answered with {error}")

    def _failed(self, function: str, reason: str) -> Response:
        self._console.line(f"{function} {reason}")
        return Response(status_code=500)


async def _body(request: Request) -> bytes:
    if "content-length" in request.headers:
        return await request.body()
    # The genuine host hands on no body whose length it isn't told.
    async for _ in request.stream():
        pass
    return b""
