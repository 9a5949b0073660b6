"""The cursor of a page: where it ended, as text that callers hand back and never look into."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import NamedTuple

from countersign.stores.index import BadCursor

_LARGEST = 2**63 - 1


class Position(NamedTuple):
    """The place of an operation in an order of time: microseconds since 1970, then its id."""

    at: int
    operation_id: str


NEWEST = Position(_LARGEST, "")
"""Before the newest operation: where the first page starts."""


def to_cursor(position: Position) -> str:
    """The cursor of the page that goes on after this position."""
    return urlsafe_b64encode(json.dumps(position).encode()).decode("ascii")


def from_cursor(cursor: str) -> Position:
    """The position that `to_cursor` was given.

    Raises:
        BadCursor: the text is not such a cursor.
    """
    try:
        at, operation_id = json.loads(urlsafe_b64decode(cursor))
        operation_id.encode()
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise BadCursor("the cursor is not one of ours") from error
    if type(at) is not int or abs(at) > _LARGEST:
        raise BadCursor("the cursor is not one of ours")
    return Position(at, operation_id)
