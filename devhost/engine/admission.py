"""The start of instances: one at a time for each id."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from devhost.durable.history import Event
from devhost.durable.instance import Child, Instance, Parent, started
from devhost.engine.weather import FAIR, Weather
from devhost.errors import InstanceExists
from devhost.state.statements import Statement, drop_instance, put_instance
from devhost.state.store import Store
from devhost.time.clock import Clock, stamp


@dataclass(frozen=True, slots=True)
class Admitted:
    """Instances that are about to start.

    Attributes:
        starts: Each with the event that starts it.
        statements: What stores them, in place of older ones with their ids.
        successions: Events that start one in the place of one that runs, each with its id.
    """

    starts: list[tuple[Instance, Event]] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    successions: list[tuple[str, Event]] = field(default_factory=list)


class Admission:
    """Reserves instance ids between the look for an older instance and the commit.

    Args:
        version: The version of children that are started without one, if there is any.
        weather: Tells whether the same child may be started twice.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        version: str | None = None,
        weather: Weather = FAIR,
    ) -> None:
        self._store = store
        self._version = version
        self._weather = weather
        self._clock = clock
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
        try:
            older = await self._store.instance(instance_id)
        except BaseException:
            self.release(instance_id)
            raise
        if older is not None and not older.over:
            self.release(instance_id)
            raise InstanceExists(older.status)
        return drop_instance(instance_id) if older else []

    def release(self, instance_id: str) -> None:
        """End a reservation."""
        self._reserved.discard(instance_id)

    async def prepare(self, children: Iterable[Child]) -> Admitted:
        """Reserve the ids of `children` and return what starts them."""
        admitted = Admitted()
        try:
            for child in children:
                await self._admit(child, admitted)
        except BaseException:
            for instance, _ in admitted.starts:
                self.release(instance.id)
            raise
        return admitted

    async def _admit(self, child: Child, admitted: Admitted) -> None:
        instance, began = self._child(child)
        try:
            # An id made from the parent's execution and the task's can't have been used, but by
            # this child itself.
            known = child.explicit or self._weather.sends_first
            older = await self.reserve(child.id) if known else []
        except InstanceExists:
            # Be it another's, or this very child, which a turn that was not kept has started.
            admitted.successions.append((child.id, began))
        else:
            admitted.starts.append((instance, began))
            admitted.statements.extend((*older, put_instance(instance)))

    def _child(self, child: Child) -> tuple[Instance, Event]:
        return new_instance(
            id=child.id,
            name=child.name,
            version=self._version if child.version is None else child.version,
            input=child.input,
            now=self._clock.now(),
            parent=child.parent,
        )


def new_instance(
    *,
    id: str,
    name: str,
    version: str | None,
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
