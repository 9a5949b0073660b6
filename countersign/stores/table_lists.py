"""The lists of the index in an Azure table: the keys of each, and which one answers a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from countersign.stores.cursor import LARGEST, Position
from countersign.stores.pages import ORDERINGS, micros, thousandths
from countersign.stores.search import Order, Search, Span, Value
from countersign.stores.summary import Summary
from countersign.stores.table_keys import key_of, newest_first, number_key, soonest_first

_ALL: dict[Order, str] = {
    "newest": "age",
    "oldest": "oldest",
    "deadline": "deadline",
    "amount": "amount",
    "decided": "decided",
}
"""The list of all rows in each order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableList:
    """The list that is read for a search.

    Attributes:
        key: what all its keys begin with.
        order: that of its rows.
        first, last: the least and the greatest number in that order that can match.
        role: the role whose list it is, if it is one of what waits for a role.
    """

    search: Search
    key: str
    order: Order
    first: int = -LARGEST
    last: int = LARGEST
    role: str | None = None

    @property
    def is_in_order(self) -> bool:
        """Whether the rows that match come in the order of the search."""
        return self.order == self.search.order and not self.search.words

    def shows(self, row: Summary) -> bool:
        """Whether a row matches, and is not in the list of a role before this one too."""
        if not self.search.matches(row):
            return False
        roles = self.search.roles or ()
        return self.role in (None, next((each for each in roles if each in row.awaited), None))

    def range(self, after: Position | None) -> tuple[str, str]:
        """Return the keys between which all is that can match and follows on a position."""
        descending = ORDERINGS[self.order].descending
        ends = (self.last, self.first) if descending else (self.first, self.last)
        start, end = (f"{self.key}:{number_key(each, descending=descending)}" for each in ends)
        end += ";"
        if after is not None and self.is_in_order:
            start = max(start, f"{self.key}:{_sorted(self.order, after)}")
        return start, end


def lists_of(search: Search) -> list[TableList]:
    """Return the narrowest lists that hold every row matching a search."""
    if search.roles is None:
        return [_list_of(search)]
    return [_waiting(search, role) for role in search.roles]


def list_keys(row: Summary) -> list[str]:
    """Return the keys of a row in the lists that searches are answered from."""
    keys = [f"{key_of(name)}:{_key(order, row)}" for order, name in _ALL.items()]
    of_age = (("state", row.state), ("kind", row.kind), ("requester", row.requester_id))
    keys += [f"{key_of(*names)}:{_key('newest', row)}" for names in of_age]
    people = (each.person for each in row.decided_by)
    keys += [f"{key_of('decider', person)}:{_key('decided', row)}" for person in people]
    if row.state == "awaiting_approval":
        roles = row.awaited or ("",)
        keys += [f"{key_of('inbox', role)}:{_key('deadline', row)}" for role in roles]
    return keys


def _waiting(search: Search, role: str) -> TableList:
    return TableList(search=search, key=key_of("inbox", role), order="deadline", role=role)


def _list_of(search: Search) -> TableList:
    state = search.state or ("awaiting_approval" if search.is_of_waiting else None)
    if search.requester is not None:
        return TableList(search=search, key=key_of("requester", search.requester), order="newest")
    if search.decider is not None:
        return TableList(search=search, key=key_of("decider", search.decider), order="decided")
    if state is not None:
        return TableList(search=search, key=key_of("state", state), order="newest")
    if search.amount != Span():
        return _part_of("amount", search, _numbers(search.amount, thousandths))
    if search.decided != Span():
        return _part_of("decided", search, _numbers(search.decided, micros))
    if search.kind is not None:
        return TableList(search=search, key=key_of("kind", search.kind), order="newest")
    if search.asked != Span():
        order: Order = "oldest" if search.order == "oldest" else "newest"
        return _part_of(order, search, _numbers(search.asked, micros))
    return TableList(search=search, key=key_of(_ALL[search.order]), order=search.order)


def _part_of(order: Order, search: Search, numbers: tuple[int, int]) -> TableList:
    first, last = numbers
    return TableList(search=search, key=key_of(_ALL[order]), order=order, first=first, last=last)


def _numbers(span: Span[Value], number: Callable[[Value], int]) -> tuple[int, int]:
    first = 0 if span.first is None else number(span.first)
    return first, LARGEST if span.last is None else number(span.last)


def _key(order: Order, row: Summary) -> str:
    return _sorted(order, ORDERINGS[order].position(row))


def _sorted(order: Order, position: Position) -> str:
    descending = ORDERINGS[order].descending
    return newest_first(position) if descending else soonest_first(position)
