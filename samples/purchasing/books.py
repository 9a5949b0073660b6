"""The books of the sample: orders, the keys they came with, and faults that are still to happen."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from devhost.private import make_private
from samples.purchasing.requests import OrderRequest

_SCHEMA = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS orders (
        number INTEGER PRIMARY KEY AUTOINCREMENT, reference TEXT NOT NULL,
        content TEXT NOT NULL, accepted_at TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS by_reference ON orders (reference);
    CREATE TABLE IF NOT EXISTS keys (
        key TEXT PRIMARY KEY, body TEXT NOT NULL,
        number INTEGER NOT NULL REFERENCES orders (number));
    CREATE TABLE IF NOT EXISTS faults (
        place INTEGER PRIMARY KEY AUTOINCREMENT, fault TEXT NOT NULL);
"""


class KeyTaken(Exception):
    """Another order came with this key before."""


class Books:
    """One SQLite file, used by one process at a time and from one thread of it.

    Args:
        folder: where the file is, or will be.
    """

    def __init__(self, folder: Path) -> None:
        make_private(folder)
        self._file = sqlite3.connect(folder / "purchasing.db", isolation_level=None)
        self._file.executescript(_SCHEMA)

    def accepted_with_key_of(self, order: OrderRequest) -> dict[str, Any] | None:
        """Return the order that came with the same key before, None if none did.

        Raises:
            KeyTaken: it was another order.
        """
        row = self._file.execute(
            "SELECT body, number FROM keys WHERE key = ?", (order.key,)
        ).fetchone()
        if row is None:
            return None
        if row[0] != order.body:
            raise KeyTaken
        return self._orders("WHERE number = ?", row[1])[0]

    def accept(self, order: OrderRequest) -> dict[str, Any]:
        """Enter an order, and the key that it came with, durably and both or neither."""
        at = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with self._file:
            self._file.execute("BEGIN IMMEDIATE")
            number = self._file.execute(
                "INSERT INTO orders (reference, content, accepted_at) VALUES (?, ?, ?)",
                (order.reference, json.dumps(order.content), at),
            ).lastrowid
            if order.key is not None:
                row = (order.key, order.body, number)
                self._file.execute("INSERT INTO keys VALUES (?, ?, ?)", row)
        return self._orders("WHERE number = ?", number)[0]

    def orders(self, reference: str | None = None) -> list[dict[str, Any]]:
        """Return the orders with a reference, or all, in the order of their acceptance."""
        return self._orders("WHERE reference = coalesce(?, reference)", reference)

    def plan(self, faults: Sequence[str]) -> None:
        """Have these happen to the next orders, one each, and none that were planned before."""
        with self._file:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.execute("DELETE FROM faults")
            rows = [(fault,) for fault in faults]
            self._file.executemany("INSERT INTO faults (fault) VALUES (?)", rows)

    def planned(self) -> list[str]:
        """Return the faults that are still to happen, in their order."""
        rows = self._file.execute("SELECT fault FROM faults ORDER BY place")
        return [fault for (fault,) in rows]

    def next_fault(self) -> str | None:
        """Return the fault that happens now; it is used up."""
        row = self._file.execute("SELECT place, fault FROM faults ORDER BY place").fetchone()
        if row is None:
            return None
        self._file.execute("DELETE FROM faults WHERE place = ?", row[:1])
        return row[1]

    def _orders(self, where: str, *values: Any) -> list[dict[str, Any]]:
        query = f"SELECT number, reference, content, accepted_at FROM orders {where} ORDER BY 1"  # noqa: S608
        return [
            {
                "order_number": f"PO-{number:06}",
                "reference": reference,
                "order": json.loads(content),
                "accepted_at": accepted_at,
            }
            for number, reference, content, accepted_at in self._file.execute(query, values)
        ]
