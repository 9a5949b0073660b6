"""The pages of an index: how its rows are stored, ordered and cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone

from pydantic import TypeAdapter

from countersign.stores.cursor import Position, to_cursor
from countersign.stores.errors import StoreError
from countersign.stores.index import Page
from countersign.stores.summary import Summary

_SUMMARY = TypeAdapter(Summary)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

LAST_ID = "\U0010ffff"
"""After every id: a deadline that is just now has passed, whosever it is."""


def micros(moment: datetime) -> int:
    """A moment as whole microseconds since 1970 (UTC), which sort and compare exactly."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def to_text(summary: Summary) -> str:
    """The JSON of a row."""
    return _SUMMARY.dump_json(summary).decode()


def from_text(text: str) -> Summary:
    """The row that `to_text` was given.

    Raises:
        StoreError: the text is not that of a row.
    """
    try:
        return _SUMMARY.validate_json(text)
    except ValueError as error:
        raise StoreError("a row of the index can't be read") from error


def by_age(row: Summary) -> Position:
    """Where a row stands among all."""
    return Position(micros(row.created_at), row.operation_id)


def by_deadline(row: Summary) -> Position:
    """Where a row stands among those that wait for a decision."""
    return Position(micros(row.expires_at or row.created_at), row.operation_id)


def page_of(rows: Sequence[Summary], limit: int, position: Callable[[Summary], Position]) -> Page:
    """The first rows; one more than `limit` tells that there is another page."""
    shown = rows[:limit]
    return Page(rows=shown, cursor=to_cursor(position(shown[-1])) if len(rows) > limit else None)
