"""The start of instances: one at a time for each id, and never over one that still runs."""

from __future__ import annotations

import uuid
from datetime import datetime

from devhost.clock import stamp
from devhost.episode import started
from devhost.errors import InstanceExists
from devhost.history import Event
from devhost.instance import Instance, Parent
from devhost.statements import Statement, drop_instance
from devhost.store import Store


class Births:
    """Reserves instance ids between the look for an older instance and the commit."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reserved: set[str] = set()

    async def reserve(self, instance_id: str) -> list[Statement]:
        """Reserve an id until `release`.

        Returns:
            What removes an instance of that id which has ended.

        Raises:
            InstanceExists: An instance of that id hasn't ended, or is about to start.
        """
        if instance_id in self._reserved:
            raise InstanceExists("Pending")
        self._reserved.add(instance_id)
        older = await self._store.instance(instance_id)
        if older is not None and not older.over:
            self.release(instance_id)
            raise InstanceExists(older.status)
        return drop_instance(instance_id) if older else []

    def release(self, instance_id: str) -> None:
        """End a reservation."""
        self._reserved.discard(instance_id)


def newborn(
    *,
    id: str,
    name: str,
    version: str,
    input: str | None,
    now: datetime,
    parent: Parent | None = None,
) -> tuple[Instance, Event]:
    """Return a new instance and the event that starts it."""
    moment = stamp(now)
    instance = Instance(
        id=id,
        execution=uuid.uuid4().hex,
        name=name,
        version=version,
        status="Pending",
        input=input,
        created=moment,
        updated=moment,
        parent=parent,
    )
    return instance, started(instance, now)
