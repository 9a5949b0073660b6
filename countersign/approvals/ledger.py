"""The ledger: an append-only, hash-chained list of events per operation, first writer wins."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.errors import DamagedRow
from countersign.approvals.events import Event, from_record, to_record

GENESIS = "0" * 64
"""What the first row of every operation names as the hash of the row before it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One recorded event.

    Attributes:
        sequence: 1 for the first row of an operation, without gaps.
        type: the name of the event's type.
        data: the JSON of the event as it was recorded. The hash covers this and not what today's
            code would write, so that events may gain fields without breaking older chains.
        hash: SHA-256 over this row and the hash of the row before it.
    """

    sequence: int
    type: str
    data: Mapping[str, Any]
    hash: str

    @property
    def event(self) -> Event:
        """What happened.

        Raises:
            DamagedRow: the data is not that of an event.
        """
        try:
            return from_record(self.type, self.data)
        except ValueError as error:
            raise DamagedRow(self.sequence) from error


@dataclass(frozen=True, kw_only=True, slots=True)
class Signed:
    """An event to be recorded with a signature.

    Attributes:
        event: what happened.
        more: what its row has beside the event: the signature, and what is known of the token.
    """

    event: Event
    more: Mapping[str, str]


Entry: TypeAlias = Event | Signed
"""What is appended to a ledger."""


class Ledger(Protocol):
    """The port that every ledger adapter fulfils; `tests/contract` holds them to it."""

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        """All rows of an operation in order; an empty list if there is none in this tenant."""
        ...

    async def append(
        self, tenant: str, operation_id: str, expected_sequence: int, events: Sequence[Entry]
    ) -> list[Row]:
        """Insert rows `expected_sequence + 1, …`, all or none, and durably before returning.

        Returns:
            The new rows.

        Raises:
            Conflict: the operation does not have exactly `expected_sequence` rows (any more).
        """
        ...

    def operations(self, tenant: str, *, after: str | None = None) -> AsyncIterator[str]:
        """Return the ids of all operations of a tenant, each once, in an order that stays.

        Whatever is begun meanwhile may be among them or not.

        Args:
            tenant: whose operations.
            after: one of these ids, behind which the walk begins; None for the beginning.
        """
        ...

    def tenants(self) -> AsyncIterator[str]:
        """All tenants that have an operation, each once."""
        ...


def chain(tenant: str, operation_id: str, last: Row | None, events: Iterable[Entry]) -> list[Row]:
    """Return the rows that follow `last` (None for the start) in an operation's chain."""
    rows: list[Row] = []
    sequence, previous = (last.sequence, last.hash) if last else (0, GENESIS)
    for event in events:
        sequence += 1
        name, data = _recorded(event)
        previous = row_hash(tenant, operation_id, sequence, name, data, previous)
        rows.append(Row(sequence=sequence, type=name, data=data, hash=previous))
    return rows


def _recorded(entry: Entry) -> tuple[str, dict[str, Any]]:
    if not isinstance(entry, Signed):
        return to_record(entry)
    name, data = to_record(entry.event)
    return name, {**data, **entry.more}


def row_hash(
    tenant: str,
    operation_id: str,
    sequence: int,
    name: str,
    data: Mapping[str, Any],
    previous: str,
) -> str:
    """Return the hash of one row, over everything that makes it and the hash before it."""
    return sha256(canonical([previous, tenant, operation_id, sequence, name, dict(data)]))


def verify(tenant: str, operation_id: str, rows: Sequence[Row]) -> int | None:
    """Check the chain.

    Rows cut off at the end leave no trace in the rest: the index's `sequence` tells of those.

    Returns:
        None if it is intact, else the sequence of the first row that does not fit.
    """
    previous = GENESIS
    for expected, row in enumerate(rows, start=1):
        if row.sequence != expected or not _fits(tenant, operation_id, row, previous):
            return expected
        previous = row.hash
    return None


def _fits(tenant: str, operation_id: str, row: Row, previous: str) -> bool:
    try:
        fitting = row_hash(tenant, operation_id, row.sequence, row.type, row.data, previous)
    except ValueError:
        return False
    return row.hash == fitting


class Record(NamedTuple):
    """A row as the four plain values that are stored: `data` is the event's JSON text."""

    sequence: int
    type: str
    data: str
    hash: str


def record_of(row: Row) -> Record:
    """Return the record to store for a row."""
    text = json.dumps(row.data, ensure_ascii=False, separators=(",", ":"))
    return Record(row.sequence, row.type, text, row.hash)


def row_of(record: Record) -> Row:
    """Return the row that a record holds; whether the chain is intact is for `verify` to say.

    Raises:
        DamagedRow: the record's data is not a JSON object.
    """
    try:
        data: Any = json.loads(record.data)
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedRow(record.sequence) from error
    if not isinstance(data, dict):
        raise DamagedRow(record.sequence)
    event = cast("dict[str, Any]", data)
    return Row(sequence=record.sequence, type=record.type, data=event, hash=record.hash)
