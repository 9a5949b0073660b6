"""The durable management API over HTTP, as the SDK's client and scripts call it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from devhost.engine import Engine, Start
from devhost.entity_management import EntityManagement
from devhost.errors import (
    BadRequest,
    InstanceExists,
    InstanceOver,
    NoSuchFunction,
    NoSuchInstance,
    NotFailed,
    NotSuspended,
    Refused,
)
from devhost.instance import OVER, Instance
from devhost.payloads import Json, check_status, fault, history, status
from devhost.queries import Document, flag, instance_selection, json_text, number, page

Endpoint = Callable[[Request], Awaitable[Response]]

# The first is where the SDK's client calls, the second what it hands out.
PATHS = ("/durabletask", "/runtime/webhooks/durabletask")
_INVALID_ID = re.compile(r"^@|[/\\?#\x00-\x1f\x7f-\x9f]")
_STATUS_CODES: dict[type[Refused], int] = {
    BadRequest: 400,
    NoSuchFunction: 400,
    NoSuchInstance: 404,
    InstanceOver: 410,
    InstanceExists: 500,
    NotFailed: 500,
    NotSuspended: 500,
}


class Management:
    """Answers the requests of the management API.

    Args:
        engine: What runs the orchestrations.
        hub: The name of the task hub.
    """

    def __init__(self, engine: Engine, hub: str) -> None:
        self._engine = engine
        self._hub = hub

    def routes(self) -> list[Route]:
        """Return the API's routes, under both of its paths."""
        table: list[tuple[str, str, Endpoint]] = [
            ("POST", "/orchestrators/{name}", self._start),
            ("POST", "/orchestrators/{name}/{id}", self._start),
            ("GET", "/instances", self._list),
            ("GET", "/instances/", self._list),
            ("DELETE", "/instances", self._purge_selected),
            ("DELETE", "/instances/", self._purge_selected),
            ("GET", "/instances/{id}", self._status),
            ("DELETE", "/instances/{id}", self._purge),
            ("POST", "/instances/{id}/raiseEvent/{event}", self._raise_event),
            ("POST", "/instances/{id}/terminate", self._terminate),
            ("POST", "/instances/{id}/suspend", self._suspend),
            ("POST", "/instances/{id}/resume", self._resume),
            ("POST", "/instances/{id}/rewind", self._rewind),
            ("POST", "/instances/{id}/restart", self._restart),
            *EntityManagement(self._engine).table(),
        ]
        return [
            Route(base + path, _answering_refusals(endpoint), methods=[method])
            for base in PATHS
            for method, path, endpoint in table
        ]

    async def _start(self, request: Request) -> Response:
        wish = Start(
            name=request.path_params["name"],
            id=_checked_id(request.path_params.get("id", "")) or None,
            input=json_text(await request.body()),
            version=request.query_params.get("version"),
        )
        # The polling interval isn't needed: the answer goes out when the instance ends.
        timeout = number(request, "timeout", 0)
        instance = await self._engine.start(wish)
        ended = await self._engine.ended(instance.id, timeout) if timeout else None
        if ended is None or not ended.over:
            return self._accepted(request, instance.id)
        if ended.status == "Completed":
            return Document(status(ended)["output"])
        return await self._told(request, ended)

    def _accepted(self, request: Request, instance_id: str) -> Response:
        body = check_status(_base(request), self._hub, instance_id)
        headers = {"Location": body["statusQueryGetUri"], "Retry-After": "10"}
        return Document(body, status_code=202, headers=headers)

    async def _status(self, request: Request) -> Response:
        instance = await self._engine.get(request.path_params["id"])
        if instance is None:
            raise NoSuchInstance(request.path_params["id"])
        return await self._told(request, instance)

    async def _told(self, request: Request, instance: Instance) -> Response:
        body = await self._document(request, instance)
        if instance.status not in OVER:
            location = check_status(_base(request), self._hub, instance.id)["statusQueryGetUri"]
            headers = {"Location": location, "Retry-After": "5"}
            return Document(body, status_code=202, headers=headers)
        flagged = flag(request, "returnInternalServerErrorOnFailure")
        failed = instance.status == "Failed" and flagged
        return Document(body, status_code=500 if failed else 200)

    async def _document(self, request: Request, instance: Instance) -> Json:
        show_input = flag(request, "showInput", usual=True)
        body = status(instance, show_input=show_input)
        if flag(request, "showHistory"):
            events = await self._engine.history(instance.id)
            show_output = flag(request, "showHistoryOutput")
            body["historyEvents"] = history(events, show_output=show_output, show_input=show_input)
        return body

    async def _list(self, request: Request) -> Response:
        selection = instance_selection(request)
        instances = await self._engine.select(selection)
        show_input = flag(request, "showInput", usual=True)
        return page(instances, selection.top, lambda one: status(one, show_input=show_input))

    async def _purge(self, request: Request) -> Response:
        if not await self._engine.purge(request.path_params["id"]):
            raise NoSuchInstance(request.path_params["id"])
        return Document({"instancesDeleted": 1})

    async def _purge_selected(self, request: Request) -> Response:
        if "createdTimeFrom" not in request.query_params:
            raise BadRequest("createdTimeFrom is required.")
        selection = instance_selection(request)
        wanted = replace(selection, statuses=selection.statuses or sorted(OVER), top=-1)
        selected = await self._engine.select(wanted)
        purged = [await self._engine.purge(instance.id) for instance in selected]
        if not any(purged):
            raise NoSuchInstance("*")
        return Document({"instancesDeleted": sum(purged)})

    async def _raise_event(self, request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise BadRequest("Only application/json request content is supported")
        event = json_text(await request.body()) or "null"
        name = request.path_params["event"]
        await self._engine.raise_event(request.path_params["id"], name, event)
        return Response(status_code=202)

    async def _terminate(self, request: Request) -> Response:
        await self._engine.terminate(*_id_and_reason(request))
        return Response(status_code=202)

    async def _suspend(self, request: Request) -> Response:
        await self._engine.suspend(*_id_and_reason(request))
        return Response(status_code=202)

    async def _resume(self, request: Request) -> Response:
        await self._engine.resume(*_id_and_reason(request))
        return Response(status_code=202)

    async def _rewind(self, request: Request) -> Response:
        await self._engine.rewind(*_id_and_reason(request))
        return Response(status_code=202)

    async def _restart(self, request: Request) -> Response:
        anew = flag(request, "restartWithNewInstanceId", usual=True)
        instance = await self._engine.restart(request.path_params["id"], anew=anew)
        return self._accepted(request, instance.id)


def _answering_refusals(endpoint: Endpoint) -> Endpoint:
    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refused:
            kind = "System.ArgumentException" if isinstance(refused, BadRequest) else None
            body = fault(str(refused), kind) if kind else fault(str(refused))
            return Document(body, status_code=_STATUS_CODES[type(refused)])

    return answer


def _base(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}{PATHS[1]}"


def _checked_id(instance_id: str) -> str:
    if len(instance_id) > 256 or _INVALID_ID.search(instance_id):
        raise BadRequest(
            "Instance IDs must not start with '@', must not contain / \\ ? # or control"
            " characters, and must have at most 256 characters."
        )
    return instance_id


def _id_and_reason(request: Request) -> tuple[str, str]:
    return request.path_params["id"], request.query_params.get("reason", "")
