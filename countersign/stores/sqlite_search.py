"""Searches of the index in SQLite: which index answers each, and what its query says.

What a search costs depends on how many operations have what it names, and not on how many others
there are. SQLite would have to guess which index is best, so each query names the one it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from countersign.stores.cursor import LARGEST, Position
from countersign.stores.pages import NOTHING, ORDERINGS, micros, thousandths
from countersign.stores.search import Order, Search, Span, Value

Condition: TypeAlias = tuple[str, Sequence[Any]]

_COLUMNS: dict[Order, str] = {
    "newest": "created_at",
    "oldest": "created_at",
    "deadline": "expires_at",
    "amount": "amount",
    "decided": "decided_at",
}
_BY_ORDER: dict[Order, str] = {
    "newest": "by_age",
    "oldest": "by_age",
    "deadline": "by_deadline",
    "amount": "by_amount",
    "decided": "by_decided",
}
_WORD = "SELECT DISTINCT operation_id FROM words WHERE tenant = ? AND word >= ? AND word < ?"
_DECIDER = "SELECT operation_id FROM deciders WHERE tenant = ? AND person = ?"
_LAST_CHARACTER = "\U0010ffff"


class SqlQuery(NamedTuple):
    """A statement and what is put in its places."""

    text: str
    values: list[Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class ByRole:
    """What a search finds by one of the columns that name a role; no two parts share a row.

    Attributes:
        column: the column, None where the search names no role.
        role: what it has to be.
    """

    search: Search
    column: Literal["required_role", "other_role"] | None = None
    role: str | None = None


def parts_of(search: Search) -> list[ByRole]:
    """Return the parts of a search; each is in order by itself."""
    if search.roles is None:
        return [ByRole(search=search)]
    return [
        ByRole(search=search, column=column, role=role)
        for column in ("required_role", "other_role")
        for role in search.roles
    ]


def page_query(tenant: str, part: ByRole, after: Position | None, limit: int) -> SqlQuery:
    """Return the rows that follow on a position, in the order of the search."""
    order = part.search.order
    column, ordering = _COLUMNS[order], ORDERINGS[order]
    conditions = [*_conditions(tenant, part)]
    if after is not None:
        sign = "<" if ordering.descending else ">"
        conditions.append((f"(o.{column}, o.operation_id) {sign} (?, ?)", after))
    way = "DESC" if ordering.descending else "ASC"
    query = _query("o.summary", tenant, part, conditions)
    ordered = f" ORDER BY o.{column} {way}, o.operation_id {way} LIMIT ?"
    return SqlQuery(query.text + ordered, [*query.values, limit])


def count_query(tenant: str, part: ByRole) -> SqlQuery:
    """How many rows there are."""
    return _query("count(*)", tenant, part, [*_conditions(tenant, part)])


def _query(what: str, tenant: str, part: ByRole, conditions: Sequence[Condition]) -> SqlQuery:
    source, values = _source(tenant, part)
    text = " AND ".join(text for text, _ in conditions)
    bound = [value for _, values in conditions for value in values]
    return SqlQuery(f"SELECT {what} FROM {source} WHERE {text}", [*values, *bound])  # noqa: S608


def _source(tenant: str, part: ByRole) -> Condition:
    """Return the source of the rows: those that match the words and the decider, or an index."""
    search = part.search
    found: list[Condition] = [
        (_WORD, (tenant, word, word + _LAST_CHARACTER)) for word in search.words
    ]
    if search.decider is not None:
        found.append((_DECIDER, (tenant, search.decider)))
    if not found:
        return f"operations AS o INDEXED BY {_index(part)}", ()
    both = " INTERSECT ".join(text for text, _ in found)
    values = [value for _, values in found for value in values]
    # CROSS JOIN fixes which of the two is read first: sqlite.org/optoverview.html, 7.2.
    return (
        f"({both}) AS f CROSS JOIN operations AS o INDEXED BY sqlite_autoindex_operations_1"
        " ON o.operation_id = f.operation_id",
        values,
    )


def _index(part: ByRole) -> str:
    """Return the index for a search that names no words and no decider."""
    search = part.search
    by = [
        (part.column == "required_role", "waiting"),
        (part.column == "other_role", "waiting_other"),
        (search.requester is not None, "by_requester"),
        (search.state is not None and _is_about_decisions(search), "by_state_decided"),
        (search.state is not None or search.is_of_waiting, "by_state"),
        (search.approvals > 1, "by_approvals"),
        (search.amount != Span(), "by_amount"),
        (search.decided != Span(), "by_decided"),
        (search.kind is not None, "by_kind"),
        (search.asked != Span(), "by_age"),
    ]
    return next((name for fits, name in by if fits), _BY_ORDER[search.order])


def _is_about_decisions(search: Search) -> bool:
    return search.decided != Span() or search.order == "decided"


def _conditions(tenant: str, part: ByRole) -> Iterator[Condition]:
    search = part.search
    yield "o.tenant = ?", (tenant,)
    if search.is_of_waiting:
        yield "o.state = 'awaiting_approval'", ()
    named = {
        "state": search.state,
        "kind": search.kind,
        "requester_id": search.requester,
        part.column: part.role,
    }
    for column, value in named.items():
        if value is not None:
            yield f"o.{column} = ?", (value,)
    if part.column == "other_role":
        roles = search.roles or ()
        yield f"o.required_role NOT IN ({', '.join('?' * len(roles))})", roles
    if search.approvals > 1:
        yield "o.approvals_needed > 1 AND o.approvals_needed >= ?", (search.approvals,)
    yield from _spans(search)
    if waits := search.waits_for:
        # LARGEST stands for what waits for nobody.
        yield "o.expires_at BETWEEN ? AND ?", (micros(waits.now) + 1, LARGEST - 1)
        yield "o.requester_id <> ?", (waits.person,)
        yield "? NOT IN (SELECT value FROM json_each(o.summary, '$.approvers'))", (waits.person,)


def _spans(search: Search) -> Iterator[Condition]:
    yield from _span("amount", search.amount, thousandths)
    yield from _span("created_at", search.asked, micros)
    yield from _span("decided_at", search.decided, micros)
    yield from _span("expires_at", search.due, micros)


def _span(column: str, span: Span[Value], number: Callable[[Value], int]) -> Iterator[Condition]:
    if span == Span():
        return
    first = NOTHING + 1 if span.first is None else number(span.first)
    last = LARGEST - 1 if span.last is None else number(span.last)
    yield f"o.{column} BETWEEN ? AND ?", (first, last)
