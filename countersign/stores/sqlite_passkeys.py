"""What is kept about each person's passkeys, in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from countersign.stores.sqlite import Database

_GET = "SELECT state FROM passkeys WHERE tenant = ? AND person = ?"
_ALL = "SELECT person, state FROM passkeys WHERE tenant = ? ORDER BY person"
_CREATE = "INSERT INTO passkeys VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_REPLACE = "UPDATE passkeys SET state = ? WHERE tenant = ? AND person = ? AND state = ?"
_DELETE = "DELETE FROM passkeys WHERE tenant = ? AND person = ?"


class SqlitePasskeys:
    """A `PasskeyStore` in a SQLite file, which it may share with others.

    Every method raises `StoreUnavailable` if the file can't be used.
    """

    def __init__(self, file: Path) -> None:
        self._database = Database(file)

    async def get(self, tenant: str, person: str) -> tuple[str, str]:
        """Return a person's text, and what stands for its present state."""
        text = await self._database.look_up(lambda file: _get(file, tenant, person))
        return text, text

    async def put(self, tenant: str, person: str, text: str, before: str) -> bool:
        """Write it in place of the state that `before` stands for; False if that has changed."""
        if not before:
            return await self._changes(_CREATE, tenant, person, text)
        return await self._changes(_REPLACE, text, tenant, person, before)

    async def people(self, tenant: str) -> Sequence[tuple[str, str]]:
        """Return all people of a tenant who have a text, each with it."""
        return await self._database.read(lambda file: file.execute(_ALL, (tenant,)).fetchall())

    async def delete(self, tenant: str, person: str) -> None:
        """Delete a person's text."""
        await self._changes(_DELETE, tenant, person)
        await self._database.empty_log()

    async def _changes(self, statement: str, *values: str) -> bool:
        return await self._database.write(
            lambda file: file.execute(statement, values).rowcount == 1
        )


def _get(file: sqlite3.Connection, tenant: str, person: str) -> str:
    row = file.execute(_GET, (tenant, person)).fetchone()
    return row[0] if row else ""
