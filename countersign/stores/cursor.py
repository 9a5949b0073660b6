"""The cursor of a page: where it ended, as text that callers hand back and never look into."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import NamedTuple

from countersign.stores.index import BadCursor

LARGEST = 2**63 - 1
"""The greatest number of a position; that of what waits for nobody, in the order of deadlines."""


class Position(NamedTuple):
    """The place of an operation in an order: a number, such as microseconds since 1970, its id."""

    number: int
    operation_id: str


def to_cursor(position: Position) -> str:
    """Return the cursor of the page that goes on after this position."""
    return urlsafe_b64encode(json.dumps(position).encode()).decode("ascii")


def from_cursor(cursor: str) -> Position:
    """Return the position that `to_cursor` was given.

    Raises:
        BadCursor: the text is not such a cursor.
    """
    try:
        number, operation_id = json.loads(urlsafe_b64decode(cursor))
        operation_id.encode()
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise BadCursor("the cursor is not one of ours") from error
    if type(number) is not int or abs(number) > LARGEST:
        raise BadCursor("the cursor is not one of ours")
    return Position(number, operation_id)
