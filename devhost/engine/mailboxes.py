"""The messages that wait for instances, and whose turn it is."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from devhost.durable.entity import is_entity
from devhost.durable.history import Event, Kind
from devhost.durable.instance import Message
from devhost.engine.weather import FAIR, Weather


@dataclass(slots=True)
class _Box:
    """One instance's messages.

    Attributes:
        fresh: Those that came since its last turn began.
        held: Those that its last turn gave back, because the instance is suspended.
        listed: Whether its turn is on or about to come.
        ended: Done once a message came that ends the instance; only while its turn watches.
    """

    fresh: list[Message] = field(default_factory=list)
    held: list[Message] = field(default_factory=list)
    listed: bool = False
    ended: asyncio.Future[None] | None = None


class Mailboxes:
    """One box for each instance that has messages, and none for those that only wait.

    Args:
        weather: How messages come to their boxes.
    """

    def __init__(self, weather: Weather = FAIR) -> None:
        self._weather = weather
        self._numbers = itertools.count(1)
        self._boxes: dict[str, _Box] = {}
        # Entities wait apart: that of an agent takes its turn for as long as its model thinks.
        self._ready: dict[bool, asyncio.Queue[str]] = {
            entities: asyncio.Queue() for entities in (False, True)
        }

    def recover(self, messages: Sequence[Message]) -> None:
        """Deliver messages of an earlier process, and number new ones after them."""
        self._numbers = itertools.count(1 + max((m.number for m in messages), default=0))
        for message in messages:
            self._weather.hide(partial(self._put, message), self._weather.hidden.messages)

    def address(self, instance_id: str, event: Event, execution: str | None = None) -> Message:
        """Address `event` to an instance, or to only one execution of it."""
        number = next(self._numbers)
        return Message(number=number, instance=instance_id, event=event, execution=execution)

    def deliver(self, messages: Iterable[Message]) -> None:
        """Put messages into their boxes; each instance gets a turn."""
        for message in messages:
            put = partial(self._put, message)
            if is_entity(message.instance):
                # What orchestrations send them is sorted and counted, whatever the weather.
                put()
            else:
                self._weather.carry(put)

    def put_off(self, messages: Iterable[Message]) -> None:
        """Deliver messages that came too early once more."""
        for message in messages:
            self._weather.put_off(partial(self._put, message), message)

    def _put(self, message: Message) -> None:
        box = self._boxes.setdefault(message.instance, _Box())
        box.fresh.append(message)
        if box.ended and not box.ended.done() and _ends(message):
            box.ended.set_result(None)
        self._list(message.instance, box)

    async def next(self, *, entities: bool = False) -> tuple[str, list[Message]]:
        """Wait for the next turn; return its instance's id and all of its messages.

        Args:
            entities: Whether it is to be an entity's, or an orchestration's.
        """
        instance_id = await self._ready[entities].get()
        box = self._boxes[instance_id]
        messages = [*box.held, *box.fresh]
        box.held, box.fresh = [], []
        return instance_id, messages

    def ended(self, instance_id: str) -> asyncio.Future[None]:
        """Return what is done once an instance whose turn is on is to be ended."""
        box = self._boxes[instance_id]
        box.ended = asyncio.get_running_loop().create_future()
        if any(map(_ends, box.fresh)):
            box.ended.set_result(None)
        return box.ended

    def end(self, instance_id: str, held: Sequence[Message] = ()) -> None:
        """End a turn; `held` comes back with the instance's next message."""
        box = self._boxes[instance_id]
        box.listed, box.ended = False, None
        box.held = list(held)
        if box.fresh:
            self._list(instance_id, box)
        elif not held:
            del self._boxes[instance_id]

    def _list(self, instance_id: str, box: _Box) -> None:
        if not box.listed:
            box.listed = True
            self._ready[is_entity(instance_id)].put_nowait(instance_id)


def _ends(message: Message) -> bool:
    return message.event["EventType"] == Kind.ExecutionTerminated
