"""The ledger: an append-only, hash-chained list of events per operation, first writer wins.

Its rows hold the events as plain JSON.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeAlias, cast, get_args

from pydantic import TypeAdapter

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.errors import DamagedRow
from countersign.approvals.events import Event
from countersign.approvals.sealing import Opening, Openings, Salts, fit, opened, salts_in, sealed

GENESIS = "0" * 64
"""What the first row of every operation names as the hash of the row before it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One recorded event.

    Attributes:
        sequence: 1 for the first row of an operation, without gaps.
        type: the name of the event's type.
        data: the JSON of the event as it was recorded, with commitments in the place of names and
            texts. The hash covers this and not what today's code would write, so that events may
            gain fields without breaking older chains.
        hash: SHA-256 over this row and the hash of the row before it.
        openings: what the commitments stand for, less what was erased since.
    """

    sequence: int
    type: str
    data: Mapping[str, Any]
    hash: str
    openings: Openings = field(default_factory=dict[str, Opening])

    @property
    def content(self) -> dict[str, Any]:
        """The JSON of the event, with all names and texts that were not erased."""
        return opened(self.type, self.data, self.openings)

    @property
    def event(self) -> Event:
        """What happened.

        Raises:
            DamagedRow: the data is not that of an event.
        """
        try:
            return from_record(self.type, self.content)
        except ValueError as error:
            raise DamagedRow(self.sequence) from error


@dataclass(frozen=True, kw_only=True, slots=True)
class NewRow:
    """What a row will be, before it has its place in a ledger.

    Attributes:
        type: the name of the event's type.
        data: the event's JSON, with commitments and the signature if it has them.
        openings: what the commitments stand for.
    """

    type: str
    data: Mapping[str, Any]
    openings: Openings = field(default_factory=dict[str, Opening])


Entry: TypeAlias = Event | NewRow
"""What is appended to a ledger."""


def new_row(entry: Entry) -> NewRow:
    """Return the row that an event will be; what is one already remains as it is."""
    if isinstance(entry, NewRow):
        return entry
    name, data = to_record(entry)
    return NewRow(type=name, data=data)


def salts_of(rows: Iterable[Row]) -> Salts:
    """Return the salts that people have in an operation."""
    salts: dict[str, str] = {}
    for row in rows:
        salts |= salts_in(row.type, row.data, row.openings)
    return salts


def sealed_with(
    salts: Salts, events: Sequence[Event], new_salt: Callable[[], str]
) -> Sequence[NewRow]:
    """Return events with commitments in the place of names and texts.

    Args:
        salts: of the people in the rows before them.
        events: what happened.
        new_salt: makes a salt that nobody can guess.
    """
    people = dict(salts)
    entries: list[NewRow] = []
    for new in map(new_row, events):
        data, openings = sealed(new.type, new.data, people, new_salt)
        people |= salts_in(new.type, data, openings)
        entries.append(NewRow(type=new.type, data=data, openings=openings))
    return entries


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

    async def erase(
        self, tenant: str, operation_id: str, commitments: Collection[str] | None = None
    ) -> None:
        """Erase the openings of these commitments, or of all, for good; again does no harm.

        Nothing else of a row ever changes. That something was erased is recorded before.
        """
        ...


def chain(tenant: str, operation_id: str, last: Row | None, events: Iterable[Entry]) -> list[Row]:
    """Return the rows that follow `last` (None for the start) in an operation's chain."""
    rows: list[Row] = []
    sequence, previous = (last.sequence, last.hash) if last else (0, GENESIS)
    for new in map(new_row, events):
        sequence += 1
        data = dict(new.data)
        previous = row_hash(tenant, operation_id, sequence, new.type, data, previous)
        rows.append(
            Row(sequence=sequence, type=new.type, data=data, hash=previous, openings=new.openings)
        )
    return rows


def without(row: Row, commitments: Collection[str] | None) -> Row:
    """Return a row less the openings of these commitments, or of all."""
    kept = {
        named: opening
        for named, opening in row.openings.items()
        if commitments is not None and named not in commitments
    }
    return replace(row, openings=kept)


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
    return row.hash == fitting and fit(row.type, row.data, row.openings)


class Record(NamedTuple):
    """A row as the plain values that are stored.

    Attributes:
        data: the event's JSON text.
        openings: that of salts and values by commitment; empty if there are none.
    """

    sequence: int
    type: str
    data: str
    hash: str
    openings: str = ""


def record_of(row: Row) -> Record:
    """Return the record to store for a row."""
    openings = {named: list(opening) for named, opening in row.openings.items()}
    text = _text(openings) if openings else ""
    return Record(row.sequence, row.type, _text(row.data), row.hash, text)


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def row_of(record: Record) -> Row:
    """Return the row that a record holds; whether the chain is intact is for `verify` to say.

    Raises:
        DamagedRow: what the record holds is no JSON of a row.
    """
    data = _object(record, record.data)
    openings: dict[str, Opening] = {}
    for named, parts in _object(record, record.openings or "{}").items():
        if not isinstance(parts, list) or list(map(type, cast("list[Any]", parts))) != [str, str]:
            raise DamagedRow(record.sequence)
        openings[named] = Opening(*cast("list[str]", parts))
    return Row(
        sequence=record.sequence,
        type=record.type,
        data=data,
        hash=record.hash,
        openings=openings,
    )


def _object(record: Record, text: str) -> dict[str, Any]:
    try:
        found: Any = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedRow(record.sequence) from error
    if not isinstance(found, dict):
        raise DamagedRow(record.sequence)
    return cast("dict[str, Any]", found)


_TYPES: Mapping[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}


@cache
def _codec(name: str) -> TypeAdapter[Event]:
    # Made when it is first needed: all of them take as long as half of the other imports.
    return TypeAdapter(_TYPES[name])


def to_record(event: Event) -> tuple[str, dict[str, Any]]:
    """Turn an event into its type name and plain JSON data (times as RFC 3339 text)."""
    name = type(event).__name__
    data: dict[str, Any] = _codec(name).dump_python(event, mode="json")
    return name, data


def from_record(name: str, data: Mapping[str, Any]) -> Event:
    """Read an event back; the opposite of `to_record`.

    Raises:
        ValueError: the name is unknown or the data is not that event's.
    """
    if name not in _TYPES:
        raise ValueError(f"the ledger holds an event of an unknown type {name!r}")
    return _codec(name).validate_python(data)
