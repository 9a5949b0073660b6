"""Events as plain JSON, which is what a ledger keeps of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from pydantic import TypeAdapter

from countersign.approvals.events import Event

_TYPES: Mapping[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}


@cache
def _codec(name: str) -> TypeAdapter[Event]:
    # Made when it is first needed: all of them take as long as half of the other imports.
    return TypeAdapter(_TYPES[name])


def to_record(event: Event) -> tuple[str, dict[str, Any]]:
    """Turn an event into its type name and plain JSON data (times as RFC 3339 text)."""
    name = type(event).__name__
    data: dict[str, Any] = _codec(name).dump_python(event, mode="json")
    return name, data


def from_record(name: str, data: Mapping[str, Any]) -> Event:
    """Read an event back; the opposite of `to_record`.

    Raises:
        ValueError: the name is unknown or the data is not that event's.
    """
    if name not in _TYPES:
        raise ValueError(f"the ledger holds an event of an unknown type {name!r}")
    return _codec(name).validate_python(data)
