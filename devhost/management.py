"""The durable management API over HTTP, as the SDK's client and scripts call it."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from devhost.clock import read_stamp, stamp
from devhost.engine import Engine, Start
from devhost.errors import (
    BadRequest,
    InstanceExists,
    InstanceOver,
    NoSuchFunction,
    NoSuchInstance,
    NotSuspended,
    Refused,
)
from devhost.instance import OVER, Instance
from devhost.payloads import Json, check_status, fault, history, status
from devhost.store import Selection

Endpoint = Callable[[Request], Awaitable[Response]]

# The first is where the SDK's client calls, the second what it hands out.
PATHS = ("/durabletask", "/runtime/webhooks/durabletask")
_INVALID_ID = re.compile(r"^@|[/\\?#\x00-\x1f\x7f-\x9f]")
_PAGE = 100
_STATUS_CODES: dict[type[Refused], int] = {
    BadRequest: 400,
    NoSuchFunction: 400,
    NoSuchInstance: 404,
    InstanceOver: 410,
    InstanceExists: 500,
    NotSuspended: 500,
}


class Document(JSONResponse):
    """A JSON answer that can also hold what Python's JSON knows and strict JSON doesn't: NaN."""

    def render(self, content: Any) -> bytes:
        """Return the text in ASCII, in which half a surrogate pair can stand as well."""
        return json.dumps(content).encode()


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
            ("POST", "/instances/{id}/rewind", self._unsupported),
            ("POST", "/instances/{id}/restart", self._unsupported),
            ("GET", "/entities{rest:path}", self._unsupported),
            ("POST", "/entities{rest:path}", self._unsupported),
            ("DELETE", "/entities{rest:path}", self._unsupported),
        ]
        return [
            Route(base + path, _answering_refusals(endpoint), methods=[method])
            for base in PATHS
            for method, path, endpoint in table
        ]

    async def _start(self, request: Request) -> Response:
        wish = Start(
            name=request.path_params["name"],
            id=_checked_id(request.path_params.get("id", "")) or uuid.uuid4().hex,
            input=_json_text(await request.body()),
            version=request.query_params.get("version"),
        )
        timeout = _number(request, "timeout", None)
        instance = await self._engine.start(wish)
        if timeout is not None:
            ended = await self._wait(instance.id, timeout, _number(request, "pollingInterval", 1))
            if ended is not None and ended.status == "Completed":
                return Document(status(ended)["output"])
        return self._accepted(request, instance.id, retry_after=10)

    async def _wait(self, instance_id: str, seconds: float, interval: float) -> Instance | None:
        deadline = time.monotonic() + seconds
        while True:
            instance = await self._engine.get(instance_id)
            left = deadline - time.monotonic()
            if instance is None or instance.over or left <= 0:
                return instance
            await asyncio.sleep(max(0.01, min(interval, left)))

    def _accepted(self, request: Request, instance_id: str, retry_after: int) -> Response:
        body = check_status(_base(request), self._hub, instance_id)
        headers = {"Location": body["statusQueryGetUri"], "Retry-After": str(retry_after)}
        return Document(body, status_code=202, headers=headers)

    async def _status(self, request: Request) -> Response:
        instance = await self._engine.get(request.path_params["id"])
        if instance is None:
            raise NoSuchInstance(request.path_params["id"])
        body = await self._document(request, instance)
        if instance.status not in OVER:
            location = check_status(_base(request), self._hub, instance.id)["statusQueryGetUri"]
            headers = {"Location": location, "Retry-After": "5"}
            return Document(body, status_code=202, headers=headers)
        flagged = _flag(request, "returnInternalServerErrorOnFailure")
        failed = instance.status == "Failed" and flagged
        return Document(body, status_code=500 if failed else 200)

    async def _document(self, request: Request, instance: Instance) -> Json:
        show_input = _flag(request, "showInput", usual=True)
        body = status(instance, show_input=show_input)
        if _flag(request, "showHistory"):
            events = await self._engine.history(instance.id)
            show_output = _flag(request, "showHistoryOutput")
            body["historyEvents"] = history(events, show_output=show_output, show_input=show_input)
        return body

    async def _list(self, request: Request) -> Response:
        top = int(_number(request, "top", _PAGE) or _PAGE)
        instances = await self._engine.select(_selection(request, top))
        show_input = _flag(request, "showInput", usual=True)
        more = len(instances) == top
        token = base64.urlsafe_b64encode(instances[-1].id.encode()).decode() if more else ""
        body = [status(instance, show_input=show_input) for instance in instances]
        return Document(body, headers={"x-ms-continuation-token": token})

    async def _purge(self, request: Request) -> Response:
        if not await self._engine.purge(request.path_params["id"]):
            raise NoSuchInstance(request.path_params["id"])
        return Document({"instancesDeleted": 1})

    async def _purge_selected(self, request: Request) -> Response:
        if "createdTimeFrom" not in request.query_params:
            raise BadRequest("createdTimeFrom is required.")
        selected = await self._engine.select(_selection(request, top=-1))
        purged = [await self._engine.purge(instance.id) for instance in selected]
        if not any(purged):
            raise NoSuchInstance("*")
        return Document({"instancesDeleted": sum(purged)})

    async def _raise_event(self, request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise BadRequest("Only application/json request content is supported")
        event = _json_text(await request.body()) or "null"
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

    async def _unsupported(self, request: Request) -> Response:
        message = f"{request.method} {request.url.path} is not supported by this host yet."
        return Document(fault(message, "System.NotSupportedException"), status_code=501)


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


def _json_text(body: bytes) -> str | None:
    if not body.strip():
        return None
    try:
        return json.dumps(json.loads(body))
    except ValueError:
        raise BadRequest("The request body is not valid JSON.") from None


def _number(request: Request, name: str, usual: float | None) -> Any:
    text = request.query_params.get(name)
    if text is None:
        return usual
    try:
        return float(text)
    except ValueError:
        raise BadRequest(f"{name} must be a number.") from None


def _flag(request: Request, name: str, *, usual: bool = False) -> bool:
    return request.query_params.get(name, str(usual)).lower() == "true"


def _id_and_reason(request: Request) -> tuple[str, str]:
    return request.path_params["id"], request.query_params.get("reason", "")


def _selection(request: Request, top: int) -> Selection:
    query = request.query_params
    statuses = query.get("runtimeStatus", "")
    token = request.headers.get("x-ms-continuation-token", "")
    try:
        return Selection(
            statuses=[name.strip().capitalize() for name in statuses.split(",") if name.strip()],
            created_from=_moment(query.get("createdTimeFrom")),
            created_to=_moment(query.get("createdTimeTo")),
            prefix=query.get("instanceIdPrefix", ""),
            after=base64.urlsafe_b64decode(token).decode(),
            top=top,
        )
    except ValueError as error:
        raise BadRequest(f"The query can't be read: {error}") from error


def _moment(text: str | None) -> str | None:
    return stamp(read_stamp(text)) if text else None
