"""The entities of the app: one batch of operations at a time for each, in the order they came."""

from __future__ import annotations

import asyncio
import traceback
import uuid
from collections.abc import Sequence
from functools import partial

from devhost.app.calls import DURABLE_ATTEMPTS, App, Call
from devhost.console import Console
from devhost.durable.entity import (
    Batch,
    Entity,
    EntityAnswer,
    EntitySelection,
    request,
    scheduler_id,
    sent,
    unborn,
)
from devhost.durable.instance import Message
from devhost.engine.mailboxes import Mailboxes
from devhost.engine.weather import Weather
from devhost.errors import CallLost, NoSuchFunction
from devhost.state.statements import drop_entity, drop_messages, put_entity, put_message
from devhost.state.store import Store
from devhost.time.clock import Clock

# What the extension takes in one call where memory is short; a crash repeats no more than that.
_LARGEST_BATCH = 50


class Entities:
    """Gives entities their turns.

    Args:
        slots: How many run at a time. That of an agent takes as long as its model does.
    """

    def __init__(  # noqa: PLR0913 - each is a part of the host that it stands on
        self,
        store: Store,
        mailboxes: Mailboxes,
        *,
        app: App,
        clock: Clock,
        console: Console,
        slots: int,
        weather: Weather,
    ) -> None:
        self._store = store
        self._mailboxes = mailboxes
        self._app = app
        self._clock = clock
        self._console = console
        self._slots = slots
        self._weather = weather

    async def run(self) -> None:
        """Run batches until cancelled."""
        await asyncio.gather(*(self._slot() for _ in range(self._slots)))

    async def signal(self, name: str, key: str, operation: str, input: str | None) -> None:
        """Send an operation whose result nobody waits for; it is durable when this returns.

        Args:
            name: The entity's function, in any case.
            key: The entity's key.
            operation: What to do.
            input: A JSON text, or None.

        Raises:
            NoSuchFunction: The app has no such entity.
        """
        if not self._app.catalogue.has("entityTrigger", name):
            raise NoSuchFunction(self._app.catalogue.missing("entityTrigger", name))
        now = self._clock.now()
        content = request(operation, input, id=str(uuid.uuid4()), now=now, signal=True)
        told = sent(content, now)
        message = self._mailboxes.address(scheduler_id(name, key), told)
        await self._store.commit([put_message(message)])
        self._weather.carry(partial(self._mailboxes.deliver, [message]))

    async def get(self, name: str, key: str) -> Entity | None:
        """Return an entity, or None if it doesn't exist."""
        entity = await self._store.entity(scheduler_id(name, key))
        return entity if entity and entity.exists else None

    async def purge(self, entity_id: str) -> bool:
        """Forget an entity, whatever it holds, and tell whether there was one."""
        there = await self._store.entity(entity_id) is not None
        await self._store.commit([drop_entity(entity_id)])
        return there

    async def select(self, selection: EntitySelection) -> Sequence[Entity]:
        """Return a page of entities, in the order of their ids."""
        return await self._store.entities(selection)

    async def _slot(self) -> None:
        while True:
            entity_id, messages = await self._mailboxes.next(entities=True)
            try:
                await self._turn(entity_id, messages)
            except Exception:  # noqa: BLE001 - a fault in one turn must not end all others
                self._console.line(f"{entity_id} lost its turn\n{traceback.format_exc()}")
            self._mailboxes.end(entity_id)

    async def _turn(self, entity_id: str, messages: Sequence[Message]) -> None:
        entity = await self._store.entity(entity_id) or unborn(entity_id, self._clock.now())
        for first in range(0, len(messages), _LARGEST_BATCH):
            batch = Batch(entity, messages[first : first + _LARGEST_BATCH])
            entity = await self._carry_out(batch)

    async def _carry_out(self, batch: Batch) -> Entity:
        after = batch.entity
        try:
            body = await self._call(batch)
            after, answers = batch.conclude(body, self._clock.now())
        except (CallLost, _Failed, ValueError) as error:
            reason = f"Entity function '{batch.entity.name}' failed: {error}"
            self._console.line(f"{batch.entity.id} {reason}")
            answers = batch.refuse(reason, self._clock.now())
        replies = self._replies(answers)
        if self._weather.loses_turn():
            await self._send(replies)
            return await self._carry_out(batch)
        await self._keep(after, batch.messages, replies)
        return after

    async def _call(self, batch: Batch) -> bytes:
        function = self._app.catalogue.entity(batch.entity.name)
        if function is None:
            why = self._app.catalogue.absence("entityTrigger", batch.entity.name)
            raise _Failed(f"it {why.removesuffix('.')}")
        call = Call(function=function.name, body=batch.context(), attempts=DURABLE_ATTEMPTS)
        returned = await self._app.call(call)
        if returned.error is not None:
            raise _Failed(returned.error)
        return returned.body

    def _replies(self, answers: Sequence[EntityAnswer]) -> list[Message]:
        address = self._mailboxes.address
        return [address(one.instance, one.event, one.execution) for one in answers]

    async def _send(self, replies: Sequence[Message]) -> None:
        await self._store.commit(map(put_message, replies))
        self._mailboxes.deliver(replies)

    async def _keep(
        self, after: Entity, done: Sequence[Message], replies: Sequence[Message]
    ) -> None:
        await self._store.commit(
            [put_entity(after), *drop_messages(done), *map(put_message, replies)]
        )
        self._mailboxes.deliver(replies)


class _Failed(Exception):
    """The entity's function raised, or there is none."""
