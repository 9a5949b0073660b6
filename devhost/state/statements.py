"""The tables of the state file, and the statements that change them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from devhost.durable.entity import Entity
from devhost.durable.instance import Activity, Instance, Message, Parent, Timer
from devhost.errors import StateUnusable

Statement = tuple[str, tuple[Any, ...]]

_VERSION = 4
_SCHEMA = """
CREATE TABLE instances (
    id TEXT PRIMARY KEY, execution TEXT NOT NULL, name TEXT NOT NULL, version TEXT,
    status TEXT NOT NULL, input TEXT, output TEXT, custom_status TEXT,
    created TEXT NOT NULL, updated TEXT NOT NULL, episodes INTEGER NOT NULL,
    parent TEXT, parent_execution TEXT, parent_task INTEGER, parent_name TEXT
);
-- Without row ids, a text of more than a quarter of a page would have pages of its own.
CREATE TABLE history (
    instance TEXT, episode INTEGER, events TEXT NOT NULL, PRIMARY KEY (instance, episode)
);
CREATE TABLE inbox (
    number INTEGER PRIMARY KEY, instance TEXT NOT NULL, execution TEXT, event TEXT NOT NULL
);
CREATE INDEX inbox_of_instance ON inbox (instance);
CREATE TABLE activities (
    instance TEXT, execution TEXT, task INTEGER, name TEXT NOT NULL, input TEXT,
    PRIMARY KEY (instance, execution, task)
) WITHOUT ROWID;
CREATE TABLE timers (
    instance TEXT, execution TEXT, task INTEGER, due TEXT NOT NULL,
    PRIMARY KEY (instance, execution, task)
) WITHOUT ROWID;
CREATE INDEX timers_by_due ON timers (due);
CREATE TABLE entities (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, state TEXT,
    created TEXT NOT NULL, updated TEXT NOT NULL, present INTEGER NOT NULL
);
CREATE TABLE triggers (
    name TEXT PRIMARY KEY, last TEXT, next TEXT NOT NULL, updated TEXT NOT NULL
) WITHOUT ROWID;
"""
# REPLACE would write a row and its index entry anew, somewhere else.
_PUT_INSTANCE = """
INSERT INTO instances VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
    ON CONFLICT (id) DO UPDATE SET
    execution = excluded.execution, name = excluded.name, version = excluded.version,
    status = excluded.status, input = excluded.input, output = excluded.output,
    custom_status = excluded.custom_status, created = excluded.created,
    updated = excluded.updated, episodes = excluded.episodes,
    parent = excluded.parent, parent_execution = excluded.parent_execution,
    parent_task = excluded.parent_task, parent_name = excluded.parent_name
"""
# An entity's name among the instances is its id, as the extension begins it (`Entities.AutoStart`
# of DurableTask.Core). The view is the connection's own, so a change of it leaves the file valid.
_EVERYTHING = """
CREATE TEMP VIEW everything AS
    SELECT * FROM instances
    UNION ALL
    SELECT id, '', id, NULL, 'Running',
        iif(present, json_object('exists', json('true'), 'state', state, 'sorter', json('{}')),
            '{"sorter":{}}'),
        NULL,
        iif(present, '{"entityExists":true}', '{}'),
        created, updated, 0, NULL, NULL, NULL, NULL
    FROM entities;
"""


def connect(path: Path) -> sqlite3.Connection:
    """Open the state file, and create it if there is none.

    Raises:
        StateUnusable: Another version of the host wrote it, or it can't be opened.
    """
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # NORMAL survives a killed process; only a power cut may lose the last moments.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            connection.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version = {_VERSION};COMMIT")
    except sqlite3.Error as error:
        raise StateUnusable(f"the state in {path} can't be opened: {error}") from error
    if version not in (0, _VERSION):
        raise StateUnusable(f"{path} was written by another version of devhost; remove it")
    connection.execute(_EVERYTHING)
    return connection


def put_instance(own: Instance) -> Statement:
    """Store `own` as it is now."""
    parent = own.parent
    return (
        _PUT_INSTANCE,
        (
            *(own.id, own.execution, own.name, own.version, own.status),
            *(own.input, own.output, own.custom_status),
            *(own.created, own.updated, own.episodes),
            *((parent.id, parent.execution) if parent else (None, None)),
            *((parent.task, parent.name) if parent else (None, None)),
        ),
    )


def read_instance(row: tuple[Any, ...]) -> Instance:
    """Return the instance of a row of `SELECT * FROM instances`."""
    parent = None
    if row[11] is not None:
        parent = Parent(id=row[11], execution=row[12], task=row[13], name=row[14])
    return Instance(
        id=row[0],
        execution=row[1],
        name=row[2],
        version=row[3],
        status=row[4],
        input=row[5],
        output=row[6],
        custom_status=row[7],
        created=row[8],
        updated=row[9],
        episodes=row[10],
        parent=parent,
    )


def append_history(instance_id: str, episode: int, events: str) -> Statement:
    """Add one episode to a history."""
    return "INSERT INTO history VALUES (?,?,?)", (instance_id, episode, events)


def put_message(message: Message) -> Statement:
    """Put `message` into the inbox of its instance."""
    text = json.dumps(message.event)
    return (
        "INSERT INTO inbox VALUES (?,?,?,?)",
        (message.number, message.instance, message.execution, text),
    )


def drop_messages(messages: Iterable[Message]) -> list[Statement]:
    """Remove messages that were delivered."""
    return [("DELETE FROM inbox WHERE number = ?", (message.number,)) for message in messages]


def put_activity(own: Activity) -> Statement:
    """Remember an activity until it has ended, also one that runs already."""
    return (
        "INSERT OR REPLACE INTO activities VALUES (?,?,?,?,?)",
        (own.instance, own.execution, own.task, own.name, own.input),
    )


def drop_activity(own: Activity) -> Statement:
    """Forget an activity that has ended."""
    return (
        "DELETE FROM activities WHERE instance = ? AND execution = ? AND task = ?",
        (own.instance, own.execution, own.task),
    )


def keep_activity(own: Activity) -> Statement:
    """Store the input of an activity anew, unless nobody waits for it any more."""
    return (
        "UPDATE activities SET input = ? WHERE instance = ? AND execution = ? AND task = ?",
        (own.input, own.instance, own.execution, own.task),
    )


def put_timer(own: Timer) -> Statement:
    """Remember a timer until it fires, also one that is set already."""
    return "INSERT OR REPLACE INTO timers VALUES (?,?,?,?)", (
        own.instance,
        own.execution,
        own.task,
        own.due,
    )


def drop_timers(instance_id: str, execution: str, tasks: Iterable[int]) -> Statement:
    """Forget timers that have fired."""
    return (
        "DELETE FROM timers WHERE instance = ? AND execution = ?"
        " AND task IN (SELECT value FROM json_each(?))",
        (instance_id, execution, json.dumps(list(tasks))),
    )


def drop_work(instance_id: str) -> list[Statement]:
    """Forget all that an instance waits for."""
    tables = ("activities", "timers")
    return [_drop(table, instance_id) for table in tables]


def drop_instance(instance_id: str) -> list[Statement]:
    """Forget an instance, whatever belongs to it included."""
    return [
        ("DELETE FROM instances WHERE id = ?", (instance_id,)),
        *(_drop(table, instance_id) for table in ("history", "inbox", "activities", "timers")),
    ]


def put_entity(own: Entity) -> Statement:
    """Store `own` as it is now, even if it holds nothing: as on Azure, only a purge ends it."""
    return (
        "INSERT OR REPLACE INTO entities VALUES (?,?,?,?,?,?,?)",
        (own.id, own.name, own.key, own.state, own.created, own.updated, own.exists),
    )


def drop_entity(entity_id: str) -> Statement:
    """Forget an entity."""
    return "DELETE FROM entities WHERE id = ?", (entity_id,)


def read_entity(row: tuple[Any, ...]) -> Entity:
    """Return the entity of a row of `SELECT * FROM entities`."""
    _, name, key, state, created, updated, present = row
    return Entity(
        name=name, key=key, state=state, created=created, updated=updated, exists=bool(present)
    )


def drop_history(instance_id: str) -> Statement:
    """Forget the history of an instance."""
    return _drop("history", instance_id)


def _drop(table: str, instance_id: str) -> Statement:
    return f"DELETE FROM {table} WHERE instance = ?", (instance_id,)  # noqa: S608 - names of ours


def put_trigger(name: str, last: str | None, following: str, updated: str) -> Statement:
    """Remember when a timer trigger fired and when it fires next."""
    return "INSERT OR REPLACE INTO triggers VALUES (?,?,?,?)", (name, last, following, updated)
