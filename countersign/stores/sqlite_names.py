"""The names in the ledger's SQLite file: its tenants, and the operations of each."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

# Each next name is found by the key: reading all rows for it would mean reading all their texts.
_OPERATIONS = """WITH RECURSIVE found (name) AS (
        SELECT min(operation_id) FROM ledger WHERE tenant = :tenant AND operation_id > :after
        UNION ALL SELECT (SELECT min(operation_id) FROM ledger
            WHERE tenant = :tenant AND operation_id > name) FROM found WHERE name IS NOT NULL)
    SELECT name FROM found WHERE name IS NOT NULL LIMIT :most"""
_FIRST_OPERATIONS = _OPERATIONS.replace("> :after", ">= :after")
_TENANTS = """WITH RECURSIVE found (name) AS (
        SELECT min(tenant) FROM ledger
        UNION ALL SELECT (SELECT min(tenant) FROM ledger
            WHERE tenant > name) FROM found WHERE name IS NOT NULL)
    SELECT name FROM found WHERE name IS NOT NULL"""


def operations_of(
    file: sqlite3.Connection, tenant: str, after: str | None, most: int
) -> Sequence[str]:
    """Return the first ids of a tenant's operations that sort after one (None: from the start)."""
    query = _FIRST_OPERATIONS if after is None else _OPERATIONS
    found = file.execute(query, {"tenant": tenant, "after": after or "", "most": most})
    return [name for (name,) in found]


def tenants_of(file: sqlite3.Connection) -> Sequence[str]:
    """All tenants that have an operation."""
    return [name for (name,) in file.execute(_TENANTS)]
