"""The durable management API over HTTP, as the SDK's client and scripts call it."""

from __future__ import annotations

import re
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from devhost.api.engine import Engine
from devhost.api.entity_management import EntityManagement
from devhost.api.history_payload import history
from devhost.api.payloads import Json, check_status, fault, status
from devhost.api.queries import LenientJson, flag, instance_selection, json_text, page, seconds
from devhost.api.refused import Endpoint, answering_refusals
from devhost.durable.entity import is_entity
from devhost.durable.instance import OVER, Instance, Start
from devhost.errors import (
    BadRequest,
    InstanceExists,
    NoSuchFunction,
    NoSuchInstance,
    NotOver,
)

# The first is where the SDK's client calls, the second what it hands out.
PATHS = ("/durabletask", "/runtime/webhooks/durabletask")


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
            ("DELETE", "/instances", self._purge_selected),
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
            _route(base + path, endpoint, method)
            for base in PATHS
            for method, path, endpoint in table
        ]

    async def _start(self, request: Request) -> Response:
        if is_entity(request.path_params.get("id", "")):
            raise BadRequest("This host has no orchestrations under the ids of entities.")
        wish = Start(
            name=request.path_params["name"],
            id=request.path_params.get("id") or None,
            input=json_text(await request.body()),
            version=request.query_params.get("version"),
        )
        instance = await self._engine.start(wish)
        return await self._awaited(request, instance.id)

    async def _awaited(self, request: Request, instance_id: str) -> Response:
        timeout, interval = seconds(request, "timeout"), seconds(request, "pollingInterval")
        if timeout is None or interval is None:
            return self._accepted(request, instance_id)
        if interval > timeout:
            raise BadRequest(
                f"Total timeout {timeout:g} should be bigger than retry timeout {interval:g}"
            )
        # Nothing has to be polled here: the answer goes out when the instance ends.
        ended = await self._engine.ended(instance_id, timeout)
        if ended is None or not ended.over:
            return self._accepted(request, instance_id)
        if ended.status == "Completed":
            return LenientJson(status(ended)["output"])
        return LenientJson(await self._document(request, ended))

    def _accepted(self, request: Request, instance_id: str) -> Response:
        body = check_status(_base(request), self._hub, instance_id)
        headers = {"Location": body["statusQueryGetUri"], "Retry-After": "10"}
        return LenientJson(body, status_code=202, headers=headers)

    async def _status(self, request: Request) -> Response:
        instance = await self._engine.get(request.path_params["id"])
        if instance is None:
            raise NoSuchInstance(request.path_params["id"])
        return await self._told(request, instance)

    async def _told(self, request: Request, instance: Instance) -> Response:
        body = await self._document(request, instance)
        if instance.status not in OVER:
            headers = {"Location": _address(request), "Retry-After": "5"}
            return LenientJson(body, status_code=202, headers=headers)
        flagged = flag(request, "returnInternalServerErrorOnFailure")
        failed = instance.status == "Failed" and flagged
        return LenientJson(body, status_code=500 if failed else 200)

    async def _document(self, request: Request, instance: Instance) -> Json:
        show_input = flag(request, "showInput", usual=True)
        body = status(instance, show_input=show_input)
        if flag(request, "showHistory") and instance.status != "Pending":
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
        instance_id = request.path_params["id"]
        purged = await self._engine.purge(instance_id)
        # Of what looks like an entity the extension doesn't ask whether it is there.
        if not purged and not instance_id.startswith("@"):
            raise NoSuchInstance(instance_id)
        return LenientJson({"instancesDeleted": int(purged)})

    async def _purge_selected(self, request: Request) -> Response:
        selection = instance_selection(request)
        if selection.created_from is None:
            sentence = "Please provide value for 'createdTimeFrom' parameter."
            return LenientJson(sentence, status_code=400)
        statuses = [status for status in selection.statuses if status in OVER] or sorted(OVER)
        selected = await self._engine.select(replace(selection, statuses=statuses, top=-1))
        purged = [await self._purged(instance.id) for instance in selected]
        if not any(purged):
            raise NoSuchInstance("*")
        return LenientJson({"instancesDeleted": sum(purged)})

    async def _purged(self, instance_id: str) -> bool:
        try:
            return await self._engine.purge(instance_id)
        except NotOver:
            # It was started again since it was selected.
            return False

    async def _raise_event(self, request: Request) -> Response:
        instance_id = request.path_params["id"]
        # Whether there is anybody to hear it is looked at before what is said.
        await self._engine.running(instance_id)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise BadRequest("Only application/json request content is supported")
        event = json_text(await request.body())
        if event is None:
            raise BadRequest("Invalid JSON content", "The request has no body.")
        await self._engine.raise_event(instance_id, request.path_params["event"], event)
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
        instance_id, reason = _id_and_reason(request)
        try:
            await self._engine.rewind(instance_id, reason)
        except NoSuchInstance:
            sentence = f'No orchestration with instance ID "${instance_id}" found.'
            return LenientJson(sentence, status_code=404)
        return Response(status_code=202)

    async def _restart(self, request: Request) -> Response:
        anew = flag(request, "restartWithNewInstanceId", usual=True)
        try:
            instance = await self._engine.restart(request.path_params["id"], anew=anew)
        except (NoSuchInstance, NoSuchFunction) as missing:
            sentence = "InstanceId does not match a valid orchestration instance."
            raise BadRequest(sentence, str(missing)) from None
        except InstanceExists as exists:
            sentence = "A non-terminal instance with this instance ID already exists."
            body = fault(sentence, str(exists), "OrchestrationAlreadyExistsException")
            return LenientJson(body, status_code=409)
        return await self._awaited(request, instance.id)


def _route(path: str, endpoint: Endpoint, method: str) -> Route:
    route = Route(path, answering_refusals(endpoint), methods=[method])
    pattern = f"{route.path_regex.pattern.removesuffix('$')}/?$"
    route.path_regex = re.compile(pattern, re.IGNORECASE)
    return route


def _address(request: Request) -> str:
    """Return the address that was asked, still quoted."""
    path, query = request.scope["raw_path"].decode("ascii"), request.url.query
    return f"{request.url.scheme}://{request.url.netloc}{path}{'?' if query else ''}{query}"


def _base(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}{PATHS[1]}"


def _id_and_reason(request: Request) -> tuple[str, str]:
    return request.path_params["id"], request.query_params.get("reason", "")
