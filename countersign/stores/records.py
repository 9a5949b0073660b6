"""A ledger row as the four plain values that every ledger adapter stores."""

from __future__ import annotations

import json
from typing import NamedTuple

from countersign.approvals.errors import LedgerError
from countersign.approvals.events import from_record, to_record
from countersign.approvals.ledger import Row


class DamagedRow(LedgerError):
    """A stored row is not readable as an event; `sequence` says which."""

    def __init__(self, sequence: int, reason: str) -> None:
        super().__init__(f"row {sequence} of the ledger can't be read: {reason}")
        self.sequence = sequence


class Record(NamedTuple):
    """One row: `data` is the event's JSON text, `hash` its link in the chain."""

    sequence: int
    type: str
    data: str
    hash: str


def record_of(row: Row) -> Record:
    """What to store for a row."""
    name, data = to_record(row.event)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Record(row.sequence, name, text, row.hash)


def row_of(record: Record) -> Row:
    """The row that a record holds; whether the chain is intact is for `verify` to say.

    Raises:
        DamagedRow: the record holds no event.
    """
    try:
        event = from_record(record.type, json.loads(record.data))
    except (ValueError, TypeError, RecursionError) as error:
        # The error's own text would repeat what the row holds.
        raise DamagedRow(record.sequence, f"not a {record.type!r}") from error
    return Row(sequence=record.sequence, event=event, hash=record.hash)
