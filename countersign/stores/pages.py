"""The pages of an index: how its rows are stored, ordered and cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from pydantic import TypeAdapter

from countersign.stores.cursor import LARGEST, Position, to_cursor
from countersign.stores.errors import StoreError
from countersign.stores.index import Page
from countersign.stores.search import Order, amount_of, decided_at
from countersign.stores.summary import Summary

_SUMMARY = TypeAdapter(Summary)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

NOTHING = -1
"""The number of what has no amount or no decision, less than that of all that has one."""


def micros(moment: datetime) -> int:
    """Return a moment as whole microseconds since 1970 (UTC), which sort and compare exactly."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def to_text(summary: Summary) -> str:
    """Return the JSON of a row."""
    return _SUMMARY.dump_json(summary).decode()


def from_text(text: str) -> Summary:
    """Return the row that `to_text` was given.

    Raises:
        StoreError: the text is not that of a row.
    """
    try:
        return _SUMMARY.validate_json(text)
    except ValueError as error:
        raise StoreError("a row of the index can't be read") from error


def thousandths(amount: Decimal) -> int:
    """Return an amount as whole thousandths, the smallest unit that any currency has."""
    return min(int(amount * 1000), LARGEST)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ordering:
    """How an order sorts rows: by a number, then by their ids, both the same way round."""

    number: Callable[[Summary], int]
    descending: bool = True

    def position(self, row: Summary) -> Position:
        """Return where a row stands."""
        return Position(self.number(row), row.operation_id)

    def comes_after(self, row: Summary, position: Position) -> bool:
        """Return whether a row follows on a position."""
        own = self.position(row)
        return own < position if self.descending else own > position

    def sorted(self, rows: Iterable[Summary]) -> list[Summary]:
        """Return the rows in this order."""
        return sorted(rows, key=self.position, reverse=self.descending)


def asked_number(row: Summary) -> int:
    """Return when it was requested."""
    return micros(row.created_at)


def due_number(row: Summary) -> int:
    """Return when the wait for a decision ends; LARGEST where nothing waits."""
    waits = row.state == "awaiting_approval" and row.expires_at
    return micros(waits) if waits else LARGEST


def amount_number(row: Summary) -> int:
    """Return its amount as a number; NOTHING if it has no price."""
    amount = amount_of(row)
    return NOTHING if amount is None else thousandths(amount)


def decided_number(row: Summary) -> int:
    """Return when somebody last decided; NOTHING where nobody did."""
    at = decided_at(row)
    return micros(at) if at else NOTHING


ORDERINGS: Mapping[Order, Ordering] = {
    "newest": Ordering(number=asked_number),
    "oldest": Ordering(number=asked_number, descending=False),
    "deadline": Ordering(number=due_number, descending=False),
    "amount": Ordering(number=amount_number),
    "decided": Ordering(number=decided_number),
}


def page_of(rows: Sequence[Summary], limit: int, ordering: Ordering) -> Page:
    """Return the first rows; one more than `limit` tells that there is another page."""
    shown = rows[:limit]
    more = len(rows) > limit
    return Page(rows=shown, cursor=to_cursor(ordering.position(shown[-1])) if more else None)
