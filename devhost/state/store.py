"""The state of all orchestrations: one SQLite file, one writer, and a reader for long lists."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar

from devhost.durable.entity import Entity, EntitySelection
from devhost.durable.instance import Activity, Instance, Message, Timer
from devhost.durable.snapshot import Snapshot
from devhost.state.statements import Statement, connect, read_entity, read_instance
from devhost.state.writer import Writer

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Which instances to list.

    Attributes:
        statuses: Only these; all if empty.
        created_from, created_to: UTC, in the form of `clock.stamp`.
        after: The id that the page before ended with.
        top: The most instances in a page.
    """

    statuses: Sequence[str] = ()
    created_from: str | None = None
    created_to: str | None = None
    prefix: str = ""
    after: str = ""
    top: int = 100


class Store:
    """Reads the state file, and passes changes to the writer.

    What is found by its key is read in the loop's own thread, by the connection that has written
    it: that takes less time than handing it to another thread. Lists that grow with the file are
    read in a thread of their own.
    """

    def __init__(
        self, path: Path, failed: Callable[[str], None], full: Callable[[], None] = lambda: None
    ) -> None:
        self._writer = Writer(path, failed, full)
        self._connection = connect(path)
        self._reader = ThreadPoolExecutor(1, "reader")
        self._under_way = 0

    @property
    def busy(self) -> bool:
        """Whether anything is being read or written."""
        return self._under_way > 0

    def commit(self, statements: Iterable[Statement]) -> asyncio.Future[None]:
        """Queue `statements` as one unit; the future ends once they are committed."""
        self._under_way += 1
        done = self._writer.submit(statements)
        done.add_done_callback(self._ended)
        return done

    async def close(self) -> None:
        """Write what is queued and close the file."""
        await self._writer.close()
        self._reader.shutdown()
        self._connection.close()

    async def instance(self, instance_id: str) -> Instance | None:
        """Return the instance with that id."""
        return _instance(self._writer.connection, instance_id)

    async def listed(self, instance_id: str) -> Instance | None:
        """Return the instance with that id; an entity shows as one that runs."""
        query = "SELECT * FROM everything WHERE id = ?"
        row = self._row(query, instance_id)
        return row and read_instance(row)

    async def snapshot(self, instance_id: str) -> Snapshot | None:
        """Return the instance with that id and its history."""
        instance = await self.instance(instance_id)
        query = "SELECT events FROM history WHERE instance = ? ORDER BY episode"
        rows = self._writer.connection.execute(query, (instance_id,))
        return instance and Snapshot(instance, tuple(row[0] for row in rows))

    async def select(self, selection: Selection) -> list[Instance]:
        """Return a page of instances, entities included, in the order of their ids."""
        return await self._read(lambda db: _select(db, selection))

    async def messages(self) -> list[Message]:
        """Return all messages that weren't delivered, in their order."""
        query = "SELECT number, instance, execution, event FROM inbox ORDER BY number"
        return await self._read(
            lambda db: [
                Message(number=row[0], instance=row[1], execution=row[2], event=json.loads(row[3]))
                for row in db.execute(query)
            ]
        )

    async def activities(self) -> list[Activity]:
        """Return all activities that haven't ended."""
        query = "SELECT instance, execution, task, name, input FROM activities"
        return await self._read(
            lambda db: [
                Activity(instance=row[0], execution=row[1], task=row[2], name=row[3], input=row[4])
                for row in db.execute(query)
            ]
        )

    async def waits_for(self, own: Activity) -> bool:
        """Tell whether an activity hasn't ended and its instance still waits for it."""
        query = "SELECT 1 FROM activities WHERE instance = ? AND execution = ? AND task = ?"
        return self._row(query, own.instance, own.execution, own.task) is not None

    async def entity(self, entity_id: str) -> Entity | None:
        """Return the entity with that id, even if it holds nothing."""
        query = "SELECT * FROM entities WHERE id = ?"
        row = self._row(query, entity_id)
        return row and read_entity(row)

    async def entities(self, selection: EntitySelection) -> list[Entity]:
        """Return a page of the entities that exist, in the order of their ids."""
        return await self._read(lambda db: _select_entities(db, selection))

    async def next_due(self) -> str | None:
        """Return the time at which the next timer fires."""
        row = self._row("SELECT min(due) FROM timers")
        return row and row[0]

    async def due(self, moment: str, limit: int) -> list[Timer]:
        """Return timers that fire at `moment` or earlier, the oldest first."""
        query = "SELECT * FROM timers WHERE due <= ? ORDER BY due, task LIMIT ?"
        rows = self._writer.connection.execute(query, (moment, limit))
        return [Timer(instance=row[0], execution=row[1], task=row[2], due=row[3]) for row in rows]

    async def trigger(self, name: str) -> tuple[str | None, str, str] | None:
        """Return when a timer trigger fired last, fires next, and when that was written."""
        query = "SELECT last, next, updated FROM triggers WHERE name = ?"
        return self._row(query, name)

    def _row(self, query: str, *values: object) -> Any:
        return self._writer.connection.execute(query, values).fetchone()

    async def _read(self, query: Callable[[Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        self._under_way += 1
        answer = loop.run_in_executor(self._reader, query, self._connection)
        answer.add_done_callback(self._ended)
        return await answer

    def _ended(self, _: asyncio.Future[Any]) -> None:
        self._under_way -= 1


def _instance(db: Connection, instance_id: str) -> Instance | None:
    row = db.execute("SELECT * FROM instances WHERE id = ?", (instance_id,)).fetchone()
    return row and read_instance(row)


def _select(db: Connection, wanted: Selection) -> list[Instance]:
    query = """SELECT * FROM everything
        WHERE id > :after AND substr(id, 1, length(:prefix)) = :prefix
        AND (:statuses = '[]' OR status IN (SELECT value FROM json_each(:statuses)))
        AND created >= :from AND created <= :to ORDER BY id LIMIT :top"""
    parameters = {
        "after": wanted.after,
        "prefix": wanted.prefix,
        "statuses": json.dumps(list(wanted.statuses)),
        "from": wanted.created_from or "",
        "to": wanted.created_to or "9999",
        "top": wanted.top,
    }
    return [read_instance(row) for row in db.execute(query, parameters)]


def _select_entities(db: Connection, wanted: EntitySelection) -> list[Entity]:
    query = """SELECT * FROM entities
        WHERE present AND id > :after AND (:name = '' OR name = :name)
        AND updated >= :from AND updated <= :to ORDER BY id LIMIT :top"""
    parameters = {
        "after": wanted.after,
        "name": wanted.name,
        "from": wanted.used_from or "",
        "to": wanted.used_to or "9999",
        "top": wanted.top,
    }
    return [read_entity(row) for row in db.execute(query, parameters)]
