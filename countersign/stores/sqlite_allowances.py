"""What each person has asked for lately, in SQLite."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from countersign.stores.allowances import Allowance, from_text, to_text
from countersign.stores.sqlite import Database

_GET = "SELECT state FROM allowances WHERE tenant = ? AND person = ?"
_CREATE = "INSERT INTO allowances VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_REPLACE = "UPDATE allowances SET state = ? WHERE tenant = ? AND person = ? AND state = ?"


class SqliteAllowances:
    """An `AllowanceStore` in a SQLite file, which it may share with others.

    Both methods raise `StoreUnavailable` if the file can't be used.
    """

    def __init__(self, file: Path) -> None:
        self._database = Database(file)

    async def get(self, tenant: str, person: str) -> tuple[Allowance, str]:
        """Return a person's allowance, and what stands for its present state."""
        text = await self._database.look_up(lambda file: _get(file, tenant, person))
        return from_text(text), text

    async def put(self, tenant: str, person: str, allowance: Allowance, before: str) -> bool:
        """Write it in place of the state that `before` stands for; False if that has changed."""
        text = to_text(allowance)
        if not before:
            return await self._database.write(
                lambda file: _changes(file, _CREATE, (tenant, person, text))
            )
        return await self._database.write(
            lambda file: _changes(file, _REPLACE, (text, tenant, person, before))
        )


def _get(file: sqlite3.Connection, tenant: str, person: str) -> str:
    row = file.execute(_GET, (tenant, person)).fetchone()
    return row[0] if row else ""


def _changes(file: sqlite3.Connection, statement: str, values: tuple[str, ...]) -> bool:
    return file.execute(statement, values).rowcount == 1
