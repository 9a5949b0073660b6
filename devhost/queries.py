"""What requests to the management API say in their query, their headers and their body."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse

from devhost.clock import read_stamp, stamp
from devhost.entity import EntitySelection
from devhost.errors import BadRequest
from devhost.payloads import Json
from devhost.store import Selection

_PAGE = 100
# What the extension's `top`, an int of .NET, can hold.
_LARGEST_PAGE = 2**31 - 1
_CONTINUATION = "x-ms-continuation-token"


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Row = TypeVar("Row", bound=_Identified)


class Document(JSONResponse):
    """A JSON answer that can also hold what Python's JSON knows and strict JSON doesn't: NaN."""

    def render(self, content: Any) -> bytes:
        """Return the text in ASCII, in which half a surrogate pair can stand as well."""
        return json.dumps(content).encode()


def number(request: Request, name: str, usual: float) -> float:
    """Return a number of the query, or `usual` if it isn't there.

    Raises:
        BadRequest: It isn't a number, or none that is finite.
    """
    text = request.query_params.get(name)
    if text is None:
        return usual
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadRequest(f"{name} must be a number.")
    return value


def flag(request: Request, name: str, *, usual: bool = False) -> bool:
    """Return a switch of the query."""
    return request.query_params.get(name, str(usual)).lower() == "true"


def json_text(body: bytes) -> str | None:
    """Return a body as JSON text, or None if it is empty.

    Raises:
        BadRequest: It isn't JSON, or is nested too deeply.
    """
    if not body.strip():
        return None
    try:
        return json.dumps(json.loads(body))
    except ValueError:
        raise BadRequest("The request body is not valid JSON.") from None
    except RecursionError:
        raise BadRequest("The request body is nested too deeply.") from None


def instance_selection(request: Request) -> Selection:
    """Return which instances are asked for.

    Raises:
        BadRequest: The query can't be read.
    """
    query = request.query_params
    statuses = query.get("runtimeStatus", "").split(",")
    return Selection(
        statuses=[status.strip().capitalize() for status in statuses if status.strip()],
        created_from=_moment(query, "createdTimeFrom"),
        created_to=_moment(query, "createdTimeTo"),
        prefix=query.get("instanceIdPrefix", ""),
        after=_after(request),
        top=_top(request),
    )


def entity_selection(request: Request) -> EntitySelection:
    """Return which entities are asked for.

    Raises:
        BadRequest: The query can't be read.
    """
    query = request.query_params
    return EntitySelection(
        name=request.path_params.get("name", "").lower(),
        used_from=_moment(query, "lastOperationTimeFrom"),
        used_to=_moment(query, "lastOperationTimeTo"),
        after=_after(request),
        top=_top(request),
    )


def page(rows: Sequence[Row], top: int, shown: Callable[[Row], Json]) -> Document:
    """Return a page of rows, with the header that asks for the next one."""
    token = base64.urlsafe_b64encode(rows[-1].id.encode()).decode() if len(rows) == top else ""
    return Document([shown(row) for row in rows], headers={_CONTINUATION: token})


def _top(request: Request) -> int:
    return min(max(1, int(number(request, "top", _PAGE))), _LARGEST_PAGE)


def _after(request: Request) -> str:
    try:
        return base64.urlsafe_b64decode(request.headers.get(_CONTINUATION, "")).decode()
    except ValueError:
        raise BadRequest("The continuation token can't be read.") from None


def _moment(query: Mapping[str, str], name: str) -> str | None:
    text = query.get(name)
    try:
        return stamp(read_stamp(text)) if text else None
    except (OverflowError, ValueError):
        raise BadRequest(f"{name} must be a time in ISO 8601.") from None
