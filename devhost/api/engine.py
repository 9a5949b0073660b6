"""What the management API needs from whatever runs the orchestrations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from devhost.durable.entity import Entity, EntitySelection
from devhost.durable.history import Event
from devhost.durable.instance import Instance, Start
from devhost.state.store import Selection


class Engine(Protocol):
    """Starts instances, sends to them, and tells about them."""

    async def start(self, wish: Start) -> Instance:
        """Create an instance; it is durable when this returns.

        An orchestrator that the app doesn't have is no obstacle: its instance fails.

        Raises:
            InstanceExists: An instance of that id hasn't ended, and may not be replaced.
        """
        ...

    async def running(self, instance_id: str) -> Instance:
        """Return an instance that hasn't ended; raises as `raise_event` does."""
        ...

    async def raise_event(self, instance_id: str, name: str, input: str) -> None:
        """Send an external event; `input` is JSON text.

        Raises:
            NoSuchInstance: There is no such instance.
            InstanceOver: It has ended.
        """
        ...

    async def terminate(self, instance_id: str, reason: str) -> None:
        """End an instance; raises as `raise_event` does."""
        ...

    async def suspend(self, instance_id: str, reason: str) -> None:
        """Hold everything but resume and terminate; raises as `raise_event` does.

        Raises:
            WrongState: The instance is suspended already.
        """
        ...

    async def resume(self, instance_id: str, reason: str) -> None:
        """Deliver what was held; raises as `raise_event` does.

        Raises:
            WrongState: The instance isn't suspended.
        """
        ...

    async def rewind(self, instance_id: str, reason: str) -> None:
        """Let a failed instance go on as if nothing in it had failed.

        Raises:
            NoSuchInstance: There is no such instance.
            NotFailed: It hasn't failed.
        """
        ...

    async def restart(self, instance_id: str, *, anew: bool) -> Instance:
        """Start an instance like that one; `anew` under an id of its own.

        Raises:
            NoSuchInstance: There is no such instance.
            NoSuchFunction: The app has its orchestrator no more.
            InstanceExists: It hasn't ended, and another id isn't wanted.
        """
        ...

    async def purge(self, instance_id: str) -> bool:
        """Forget an instance that has ended, or an entity, and tell whether there was one.

        Raises:
            NotOver: It hasn't ended.
        """
        ...

    async def get(self, instance_id: str) -> Instance | None:
        """Return an instance; an entity shows as one that runs."""
        ...

    async def ended(self, instance_id: str, seconds: float) -> Instance | None:
        """Return an instance as soon as it has ended, or as it is after so many seconds."""
        ...

    async def select(self, selection: Selection) -> Sequence[Instance]:
        """Return a page of instances, entities included, in the order of their ids."""
        ...

    async def history(self, instance_id: str) -> list[Event]:
        """Return the history of an instance's present execution."""
        ...

    async def signal(self, name: str, key: str, operation: str, input: str | None) -> None:
        """Send an entity an operation; `input` is JSON text, or None.

        Raises:
            NoSuchFunction: The app has no such entity.
        """
        ...

    async def entity(self, name: str, key: str) -> Entity | None:
        """Return an entity, or None if it doesn't exist."""
        ...

    async def entities(self, selection: EntitySelection) -> Sequence[Entity]:
        """Return a page of entities, in the order of their ids."""
        ...
