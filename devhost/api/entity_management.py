"""The management API of entities, as the SDK's client and scripts call it."""

from __future__ import annotations

import json
import re

from starlette.requests import Request
from starlette.responses import Response

from devhost.api.engine import Engine
from devhost.api.payloads import Json, value
from devhost.api.queries import entity_selection, flag, json_text, page
from devhost.api.refused import Endpoint
from devhost.durable.entity import Entity, scheduler_id
from devhost.errors import BadRequest, NoSuchInstance

# Without a key a path asks for a list, so this stands for the empty one where a state is read.
_EMPTY_KEY = "$"
_FORBIDDEN = re.compile(r"[/\\?#\x00-\x1f\x7f-\x9f]")


class EntityManagement:
    """Answers requests for entities."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def table(self) -> list[tuple[str, str, Endpoint]]:
        """Return the methods and paths, and what answers them."""
        return [
            ("GET", "/entities", self._list),
            ("GET", "/entities/{name}", self._list),
            ("GET", "/entities/{name}/{key}", self._state),
            ("POST", "/entities/{name}", self._signal),
            ("POST", "/entities/{name}/{key}", self._signal),
            ("DELETE", "/entities/{name}", self._delete),
            ("DELETE", "/entities/{name}/{key}", self._delete),
        ]

    async def _list(self, request: Request) -> Response:
        selection = entity_selection(request)
        fetch_state = flag(request, "fetchState")
        entities = await self._engine.entities(selection)
        return page(entities, selection.top, lambda one: _document(one, fetch_state=fetch_state))

    async def _state(self, request: Request) -> Response:
        name, key = _name_and_key(request)
        key = "" if key == _EMPTY_KEY else key
        entity = await self._engine.entity(name, key)
        if entity is None:
            raise NoSuchInstance(scheduler_id(name, key))
        return Response(entity.state or "null", media_type="application/json")

    async def _signal(self, request: Request) -> Response:
        operation = request.query_params.get("op", "")
        input = _input(request.headers.get("content-type", ""), await request.body())
        await self._engine.signal(*_name_and_key(request), operation, input)
        return Response(status_code=202)

    async def _delete(self, request: Request) -> Response:
        await self._engine.signal(*_name_and_key(request), "delete", None)
        return Response(status_code=202)


def _name_and_key(request: Request) -> tuple[str, str]:
    name, key = request.path_params["name"], request.path_params.get("key", "")
    if _FORBIDDEN.search(key):
        raise BadRequest("Entity keys must not contain /, \\, #, ?, or control characters.")
    return name, key


def _input(content_type: str, body: bytes) -> str | None:
    if content_type.partition(";")[0].strip().lower() == "application/json" or not body:
        return json_text(body)
    return json.dumps(body.decode("utf-8", "replace"))


def _document(entity: Entity, *, fetch_state: bool) -> Json:
    return {
        "entityId": {"name": entity.name, "key": entity.key},
        "lastOperationTime": f"{entity.updated[:19]}Z",
        "state": value(entity.state) if fetch_state else None,
    }
