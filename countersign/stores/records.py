"""A ledger row as the four plain values that every ledger adapter stores."""

from __future__ import annotations

import json
from typing import NamedTuple

from countersign.approvals.errors import DamagedRow
from countersign.approvals.ledger import Row


class Record(NamedTuple):
    """One row: `data` is the event's JSON text, `hash` its link in the chain."""

    sequence: int
    type: str
    data: str
    hash: str


def record_of(row: Row) -> Record:
    """What to store for a row."""
    text = json.dumps(row.data, ensure_ascii=False, separators=(",", ":"))
    return Record(row.sequence, row.type, text, row.hash)


def row_of(record: Record) -> Row:
    """The row that a record holds; whether the chain is intact is for `verify` to say.

    Raises:
        DamagedRow: the record's data is not a JSON object.
    """
    try:
        data = json.loads(record.data)
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedRow(record.sequence) from error
    if not isinstance(data, dict):
        raise DamagedRow(record.sequence)
    return Row(sequence=record.sequence, type=record.type, data=data, hash=record.hash)
