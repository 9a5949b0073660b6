"""What requests to the management API say in their query, their headers and their body."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse

from devhost.api.payloads import Json
from devhost.durable.entity import EntitySelection
from devhost.durable.history import compact
from devhost.durable.instance import STATUS_CODES
from devhost.errors import BadRequest
from devhost.state.store import Selection
from devhost.time.clock import read_stamp, stamp

_PAGE = 100
# What the extension's `top`, an int of .NET, can hold.
_LARGEST_PAGE = 2**31 - 1
_CONTINUATION = "x-ms-continuation-token"
_SWITCHES = {"true": True, "false": False}
_STATUSES = frozenset({*STATUS_CODES, "ContinuedAsNew"})
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_SHORT_YEAR = re.compile(r"^\d{1,3}(?=-)", re.ASCII)
_WHOLE = re.compile(r"\s*[+-]?\d{1,12}\s*", re.ASCII)


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Row = TypeVar("Row", bound=_Identified)


class LenientJson(JSONResponse):
    """A JSON answer that can also hold what Python's JSON knows and strict JSON doesn't: NaN."""

    def render(self, content: Any) -> bytes:
        """Return the text in ASCII, in which half a surrogate pair can stand as well."""
        return compact(content).encode()


def seconds(request: Request, name: str) -> float | None:
    """Return a duration of the query in seconds; None if there is none that can be read."""
    try:
        value = float(request.query_params.get(name, ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def flag(request: Request, name: str, *, usual: bool = False) -> bool:
    """Return a switch of the query, or `usual` if there is none that can be read."""
    return _SWITCHES.get(request.query_params.get(name, "").strip().lower(), usual)


def json_text(body: bytes) -> str | None:
    """Return a body as JSON text, or None if it is empty.

    Raises:
        BadRequest: It isn't JSON, or is nested too deeply.
    """
    if not body.strip():
        return None
    try:
        return json.dumps(json.loads(body))
    except ValueError as error:
        raise BadRequest("Invalid JSON content", str(error)) from None
    except RecursionError:
        raise BadRequest("Invalid JSON content", "It is nested too deeply.") from None


def instance_selection(request: Request) -> Selection:
    """Return which instances are asked for; what can't be read of a query is passed over.

    Raises:
        BadRequest: The continuation token can't be read.
    """
    query = request.query_params
    named = ",".join(query.getlist("runtimeStatus")).split(",")
    return Selection(
        statuses=[status.strip() for status in named if status.strip() in _STATUSES],
        created_from=_moment(query, "createdTimeFrom"),
        created_to=_moment(query, "createdTimeTo"),
        prefix=query.get("instanceIdPrefix", ""),
        after=_after(request),
        top=_top(request),
    )


def entity_selection(request: Request) -> EntitySelection:
    """Return which entities are asked for; what can't be read of a query is passed over.

    Raises:
        BadRequest: The continuation token can't be read.
    """
    query = request.query_params
    return EntitySelection(
        name=request.path_params.get("name", "").lower(),
        used_from=_moment(query, "lastOperationTimeFrom"),
        used_to=_moment(query, "lastOperationTimeTo"),
        after=_after(request),
        top=_top(request),
    )


def page(rows: Sequence[Row], top: int, shown: Callable[[Row], Json]) -> LenientJson:
    """Return a page of rows, with the header that asks for the next one."""
    token = base64.urlsafe_b64encode(rows[-1].id.encode()).decode() if len(rows) == top else ""
    return LenientJson([shown(row) for row in rows], headers={_CONTINUATION: token})


def _top(request: Request) -> int:
    text = request.query_params.get("top", "")
    # As .NET reads an int: a text that isn't one, or that it can't hold, counts as none.
    rows = int(text) if _WHOLE.fullmatch(text) else _PAGE
    return max(1, rows) if rows <= _LARGEST_PAGE else _PAGE


def _after(request: Request) -> str:
    try:
        return base64.urlsafe_b64decode(request.headers.get(_CONTINUATION, "")).decode()
    except ValueError:
        raise BadRequest("The continuation token can't be read.") from None


def _moment(query: Mapping[str, str], name: str) -> str | None:
    # Python's strftime leaves out the zeros of years before 1000.
    text = _SHORT_YEAR.sub(lambda year: year[0].zfill(4), query.get(name, ""))
    try:
        return stamp(read_stamp(f"{text}T00:00:00" if _DAY.fullmatch(text) else text))
    except (OverflowError, ValueError):
        return None
