"""The messages that wait for instances, and whose turn it is."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from devhost.history import Event
from devhost.instance import Message


@dataclass(slots=True)
class _Box:
    """One instance's messages.

    Attributes:
        fresh: Those that came since its last turn began.
        held: Those that its last turn gave back, because the instance is suspended.
        listed: Whether its turn is on or about to come.
    """

    fresh: list[Message] = field(default_factory=list)
    held: list[Message] = field(default_factory=list)
    listed: bool = False


class Mailboxes:
    """One box for each instance that has messages, and none for those that only wait."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._boxes: dict[str, _Box] = {}
        self._ready: asyncio.Queue[str] = asyncio.Queue()

    def recover(self, messages: Sequence[Message]) -> None:
        """Deliver messages of an earlier process, and number new ones after them."""
        self._numbers = itertools.count(1 + max((m.number for m in messages), default=0))
        self.deliver(messages)

    def address(self, instance_id: str, event: Event, execution: str | None = None) -> Message:
        """Address `event` to an instance, or to only one execution of it."""
        number = next(self._numbers)
        return Message(number=number, instance=instance_id, event=event, execution=execution)

    def deliver(self, messages: Iterable[Message]) -> None:
        """Put messages into their boxes; each instance gets a turn."""
        for message in messages:
            box = self._boxes.setdefault(message.instance, _Box())
            box.fresh.append(message)
            self._list(message.instance, box)

    async def next(self) -> tuple[str, list[Message]]:
        """Wait for the next turn; return its instance's id and all of its messages."""
        instance_id = await self._ready.get()
        box = self._boxes[instance_id]
        messages = [*box.held, *box.fresh]
        box.held, box.fresh = [], []
        return instance_id, messages

    def end(self, instance_id: str, held: Sequence[Message] = ()) -> None:
        """End a turn; `held` comes back with the instance's next message."""
        box = self._boxes[instance_id]
        box.listed = False
        box.held = list(held)
        if box.fresh:
            self._list(instance_id, box)
        elif not held:
            del self._boxes[instance_id]

    def _list(self, instance_id: str, box: _Box) -> None:
        if not box.listed:
            box.listed = True
            self._ready.put_nowait(instance_id)
