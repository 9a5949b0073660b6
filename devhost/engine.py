"""What the management API needs from whatever runs the orchestrations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from devhost.history import Event
from devhost.instance import Instance
from devhost.store import Selection


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """A wish for a new instance.

    Attributes:
        name: The orchestrator, in any case.
        id: The instance's id; a new one if None.
        input: A JSON text, or None.
        version: None for the app's default.
    """

    name: str
    id: str | None = None
    input: str | None = None
    version: str | None = None


class Engine(Protocol):
    """Starts instances, sends to them, and tells about them."""

    async def start(self, wish: Start) -> Instance:
        """Create an instance; it is durable when this returns.

        Raises:
            NoSuchFunction: The app has no such orchestrator.
            InstanceExists: An instance of that id hasn't ended.
        """
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
        """Hold everything but resume and terminate; raises as `raise_event` does."""
        ...

    async def resume(self, instance_id: str, reason: str) -> None:
        """Deliver what was held; raises as `raise_event` does.

        Raises:
            NotSuspended: The instance isn't suspended.
        """
        ...

    async def purge(self, instance_id: str) -> bool:
        """Forget an instance that has ended, and tell whether there was one."""
        ...

    async def get(self, instance_id: str) -> Instance | None:
        """Return an instance."""
        ...

    async def select(self, selection: Selection) -> Sequence[Instance]:
        """Return a page of instances, in the order of their ids."""
        ...

    async def history(self, instance_id: str) -> list[Event]:
        """Return the history of an instance's present execution."""
        ...
