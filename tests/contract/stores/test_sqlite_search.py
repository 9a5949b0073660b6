"""What a search costs in SQLite: so many steps of its machine, however many rows there are."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest

from countersign.stores.search import Order, Search, Span, WaitsFor
from countersign.stores.sqlite_index import SqliteIndex
from countersign.stores.sqlite_search import ByRole, SqlQuery, count_query, page_query, parts_of
from countersign.stores.summary import Decider, Summary

Build = Callable[..., Summary]
OTHERS = 100_000
DAY = timedelta(days=1)
NOON = datetime.fromisoformat("2026-11-02T12:00:00+00:00")
SEARCHES = [
    Search(
        waits_for=WaitsFor(person="bob", roles=("Purchase.Approver",), now=NOON), order="deadline"
    ),
    Search(words=("stoat",)),
    Search(words=("stoat", "sea"), kind="order", state="awaiting_approval"),
    Search(requester="grace"),
    Search(requester="grace", order="oldest", state="published"),
    Search(decider="bob", order="decided"),
    Search(role="Purchase.Approver", order="deadline"),
    Search(state="awaiting_approval", order="amount"),
    Search(state="awaiting_approval", due=Span(last=NOON + DAY), order="deadline"),
    Search(approvals=2),
    Search(kind="order"),
    Search(amount=Span(first=Decimal(1000))),
    Search(decided=Span(first=NOON)),
    Search(asked=Span(first=NOON), order="amount"),
    Search(state="rejected", decided=Span(first=NOON), order="decided"),
]

# As many copies of one row as there have to be, each with an id and a moment of its own.
_COPY = """
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
INSERT INTO operations
    (tenant, operation_id, sequence, state, kind, created_at, requester_id, required_role,
     other_role, expires_at, amount, decided_at, approvals_needed, words, overdue_from,
     unpurged_since, summary)
SELECT tenant, 'other-' || n, sequence, state, kind, created_at - n, requester_id, required_role,
     other_role, expires_at, amount, decided_at - n, approvals_needed, words, overdue_from,
     unpurged_since, summary
FROM operations, numbers WHERE operation_id = 'other'
"""


@pytest.fixture
def adapter() -> str:
    return "embedded"


@pytest.fixture
async def file(tmp_path: Path, summary: Build) -> Path:
    """Twenty orders that every search is after, and one report that none is."""
    file = tmp_path / "countersign.db"
    index = SqliteIndex(file)
    bob = Decider(person="bob", name="Bob", decision="approve", version=1, at=NOON)
    eve = Decider(person="eve", name="Eve", decision="approve", version=1, at=NOON - DAY)
    for number in range(20):
        row = summary(
            f"op-{number}",
            kind="order",
            title="Stoats at sea",
            requester_id="grace",
            required_role="Purchase.Approver",
            amount="5,000.00 EUR",
            approvals_needed=2,
            expires_at=NOON + DAY / 2,
            decided_by=(bob,),
        )
        await index.put(row, "none")
    other = summary(
        "other", state="published", stage="closed", amount="5.00 EUR", decided_by=(eve,)
    )
    await index.put(other, "none")
    return file


@pytest.fixture
def steps(file: Path) -> Iterator[Callable[[SqlQuery], int]]:
    """Counts the steps that SQLite's machine takes for a query."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    with closing(sqlite3.connect(file)) as connection:

        def run(query: SqlQuery) -> int:
            nonlocal taken
            taken = 0
            connection.set_progress_handler(count, 1)
            connection.execute(*query).fetchall()
            connection.set_progress_handler(None, 0)
            return taken

        yield run


def add_others(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(_COPY, [OTHERS])
        copied = "SELECT tenant, {}, operation_id FROM operations WHERE operation_id LIKE 'other-%'"
        connection.execute(f"INSERT INTO words {copied.format(repr('otters'))}")
        connection.execute(f"INSERT INTO deciders {copied.format(repr('eve'))}")


def queries() -> list[SqlQuery]:
    """A page and the count of each search; of the plain orders the page alone."""
    narrow = [each for search in SEARCHES for each in parts_of(search)]
    plain = [ByRole(search=Search(order=order)) for order in get_args(Order)]
    return [
        *(page_query("home", each, None, 31) for each in [*narrow, *plain]),
        *(count_query("home", each) for each in narrow),
    ]


def test_what_a_search_costs_does_not_depend_on_how_many_others_there_are(
    file: Path, steps: Callable[[SqlQuery], int]
) -> None:
    alone = [steps(query) for query in queries()]
    add_others(file)
    among_others = [steps(query) for query in queries()]
    # A plain order fills its page with others, so it may take the steps of so many rows more.
    costlier = {
        query.text: (before, after)
        for query, before, after in zip(queries(), alone, among_others, strict=True)
        if after > 2 * before + 100
    }
    assert costlier == {}
