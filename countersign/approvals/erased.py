"""What of a ledger was erased, and whether its rows say so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from countersign.approvals.ledger import Row
from countersign.approvals.sealing import commitments_in


def first_missing(rows: Sequence[Row]) -> int | None:
    """Return the first row, by sequence, that lacks an opening which no row says was erased.

    Nothing is erased before an operation has ended: without the id of the requester, for example,
    nobody could tell that they approve their own request.
    """
    erasures = list(_erasures(rows))
    for row in rows:
        lacking = commitments_in(row.type, row.data) - row.openings.keys()
        for sequence, erased in erasures:
            if sequence > row.sequence:
                lacking = frozenset[str]() if erased is None else lacking - erased
        if lacking:
            return row.sequence
    return None


def _erasures(rows: Sequence[Row]) -> Iterator[tuple[int, frozenset[str] | None]]:
    """Yield the rows that say that something was erased, with the commitments; None for all."""
    closed = False
    for row in rows:
        closed = closed or row.type == "OperationClosed"
        if closed and row.type == "ContentErased":
            yield row.sequence, None
        elif closed and row.type == "PersonErased":
            named: Any = row.data.get("commitments")
            texts = cast("list[Any]", named) if isinstance(named, list) else []
            yield row.sequence, frozenset(each for each in texts if isinstance(each, str))


def commitments_of(rows: Sequence[Row], person: str) -> tuple[str, ...]:
    """Return the commitments to what somebody is called in a ledger and to all they wrote there.

    And to the same texts where others repeat them, such as a reason in the row of the outcome.

    Args:
        rows: the ledger.
        person: their id.
    """
    theirs = {
        opening.value for row in rows if _actor(row) == person for opening in row.openings.values()
    } | {person}
    return tuple(
        sorted(
            named
            for row in rows
            for named, opening in row.openings.items()
            if opening.value in theirs
        )
    )


def takes_part(rows: Sequence[Row], person: str) -> bool:
    """Return whether somebody, by their id, has done anything that is not erased."""
    return any(_actor(row) == person for row in rows)


def _actor(row: Row) -> Any:
    actor: Any = row.content.get("actor")
    return cast("dict[str, Any]", actor).get("id") if isinstance(actor, dict) else None
