"""The ledger: an append-only, hash-chained list of events per operation, first writer wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.events import Event, to_record

GENESIS = "0" * 64
"""What the first row of every operation names as the hash of the row before it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One recorded event.

    Attributes:
        sequence: 1 for the first row of an operation, without gaps.
        event: what happened.
        hash: SHA-256 over this row and the hash of the row before it.
    """

    sequence: int
    event: Event
    hash: str


class Ledger(Protocol):
    """The port that every ledger adapter fulfils; `tests/contract` holds them to it."""

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        """All rows of an operation in order; an empty list if there is none in this tenant."""
        ...

    async def append(
        self, tenant: str, operation_id: str, expected_sequence: int, events: Sequence[Event]
    ) -> list[Row]:
        """Insert rows `expected_sequence + 1, …`, all or none, and durably before returning.

        Returns:
            The new rows.

        Raises:
            Conflict: the operation does not have exactly `expected_sequence` rows (any more).
        """
        ...


def chain(tenant: str, operation_id: str, last: Row | None, events: Iterable[Event]) -> list[Row]:
    """The rows that follow `last` (None for the start) in an operation's chain."""
    rows: list[Row] = []
    sequence, previous = (last.sequence, last.hash) if last else (0, GENESIS)
    for event in events:
        sequence += 1
        previous = row_hash(tenant, operation_id, sequence, event, previous)
        rows.append(Row(sequence=sequence, event=event, hash=previous))
    return rows


def row_hash(tenant: str, operation_id: str, sequence: int, event: Event, previous: str) -> str:
    """The hash of one row, over everything that makes it and the hash before it."""
    name, data = to_record(event)
    return sha256(canonical([previous, tenant, operation_id, sequence, name, data]))


def verify(tenant: str, operation_id: str, rows: Sequence[Row]) -> int | None:
    """Check the chain.

    Rows cut off at the end leave no trace in the rest: the index's `sequence` tells of those.

    Returns:
        None if it is intact, else the sequence of the first row that does not fit.
    """
    previous = GENESIS
    for expected, row in enumerate(rows, start=1):
        intact = row_hash(tenant, operation_id, expected, row.event, previous)
        if row.sequence != expected or row.hash != intact:
            return expected
        previous = row.hash
    return None
