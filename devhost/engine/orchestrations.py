"""The engine: orchestrations over the store, the app and the clock."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from typing import Any

from devhost.app.calls import App
from devhost.background import Background
from devhost.console import Console
from devhost.durable.entity import Entity, EntitySelection, is_entity
from devhost.durable.history import Event, Kind, event, parse
from devhost.durable.instance import Instance, Message, Start
from devhost.durable.snapshot import Snapshot
from devhost.engine.activities import Activities
from devhost.engine.admission import Admission, new_instance
from devhost.engine.commits import Commits
from devhost.engine.durable_timers import DurableTimers
from devhost.engine.endings import Endings
from devhost.engine.entities import Entities
from devhost.engine.mailboxes import Mailboxes
from devhost.engine.rewind import Rewinds
from devhost.engine.snapshots import Snapshots
from devhost.engine.turns import Limits, Turns
from devhost.engine.weather import FAIR, Weather
from devhost.errors import (
    InstanceExists,
    InstanceOver,
    NoSuchFunction,
    NoSuchInstance,
    NotFailed,
    NotOver,
    WrongState,
)
from devhost.state.statements import put_instance, put_message
from devhost.state.store import Selection, Store
from devhost.time.clock import Clock


class Orchestrations:
    """Implements `engine.Engine`, which tells the arguments and what each method raises.

    Args:
        background: Runs the parts; it is closed with this.
        version: The version of instances that are started without one, if there is any.
        replaces: Whether a start may take the place of an instance that hasn't ended.
        weather: How far all that can be relied on.
    """

    def __init__(  # noqa: PLR0913 - each is a part of the host that it stands on
        self,
        store: Store,
        *,
        app: App,
        clock: Clock,
        console: Console,
        background: Background,
        limits: Limits,
        version: str | None = None,
        replaces: bool = False,
        weather: Weather = FAIR,
    ) -> None:
        self._store = store
        self._app = app
        self._clock = clock
        self._version = version
        self._replaces = replaces
        self._weather = weather
        self._mailboxes = Mailboxes(weather)
        self._snapshots = Snapshots(store)
        self._admission = Admission(store, clock, version, weather)
        self._activities = Activities(
            app, store, self._mailboxes, clock, background, limits.activities, weather
        )
        self._durable_timers = DurableTimers(store, self._mailboxes, clock)
        self._endings = Endings()
        commits = self._commits(console)
        self._rewinds = Rewinds(commits, self._admission, clock)
        self._entities = Entities(
            store,
            self._mailboxes,
            app=app,
            clock=clock,
            console=console,
            slots=limits.entities,
            weather=weather,
        )
        turns = Turns(commits, app, clock, limits, weather)
        self._runs = [turns.run] * limits.episodes
        self._background = background

    def _commits(self, console: Console) -> Commits:
        """Return what writes the results of turns to the store, and hands them to the parts."""
        return Commits(
            store=self._store,
            mailboxes=self._mailboxes,
            snapshots=self._snapshots,
            admission=self._admission,
            activities=self._activities,
            durable_timers=self._durable_timers,
            console=console,
            endings=self._endings,
            clock=self._clock,
            weather=self._weather,
        )

    @property
    def busy(self) -> bool:
        """Whether anything goes on that neither the app nor the store is busy with."""
        return self._activities.busy or self._weather.busy

    async def open(self) -> None:
        """Take up what an earlier process left, and begin."""
        self._mailboxes.recover(await self._store.messages())
        self._activities.recover(await self._store.activities())
        for run in (
            self._activities.run,
            self._durable_timers.run,
            self._entities.run,
            *self._runs,
        ):
            self._background.start(run())

    async def close(self) -> None:
        """Stop; what is under way is taken up by the next process."""
        await self._background.close()

    async def start(self, wish: Start) -> Instance:
        """Create an instance and wake it; it is durable when this returns."""
        function = self._app.catalogue.orchestrator(wish.name)
        instance, began = new_instance(
            id=wish.id or uuid.uuid4().hex,
            name=function.durable_name if function else wish.name,
            version=self._version if wish.version is None else wish.version,
            input=wish.input,
            now=self._clock.now(),
        )
        try:
            # An id that was made for it can't have been used.
            older = await self._admission.reserve(instance.id) if wish.id else []
        except InstanceExists:
            if not self._replaces:
                raise
            await self._post(self._mailboxes.address(instance.id, began))
            return instance
        try:
            message = self._mailboxes.address(instance.id, began, instance.execution)
            await self._store.commit([*older, put_instance(instance), put_message(message)])
        finally:
            self._admission.release(instance.id)
        self._snapshots.put(Snapshot(instance))
        self._mailboxes.deliver([message])
        return instance

    async def running(self, instance_id: str) -> Instance:
        """Return an instance that has not ended."""
        instance = await self._known(instance_id)
        if instance.over:
            raise InstanceOver(instance_id, instance.status)
        return instance

    async def raise_event(self, instance_id: str, name: str, input: str) -> None:
        """Send an external event to an instance that has not ended."""
        await self.running(instance_id)
        await self._send(instance_id, Kind.EventRaised, Name=name, Input=input)

    async def terminate(self, instance_id: str, reason: str) -> None:
        """Send the termination to an instance that has not ended."""
        await self.running(instance_id)
        await self._send(instance_id, Kind.ExecutionTerminated, Input=reason)

    async def suspend(self, instance_id: str, reason: str) -> None:
        """Send the suspension to an instance that is not suspended."""
        instance = await self.running(instance_id)
        if instance.status == "Suspended":
            raise WrongState("suspend", instance_id, instance.status)
        await self._send(instance_id, Kind.ExecutionSuspended, Reason=reason)

    async def resume(self, instance_id: str, reason: str) -> None:
        """Send the resumption to an instance that is suspended."""
        instance = await self.running(instance_id)
        if instance.status != "Suspended":
            raise WrongState("resume", instance_id, instance.status)
        await self._send(instance_id, Kind.ExecutionResumed, Reason=reason)

    async def purge(self, instance_id: str) -> bool:
        """Delete an instance that has ended, or an entity; returns whether there was one."""
        if is_entity(instance_id):
            return await self._entities.purge(instance_id)
        try:
            older = await self._admission.reserve(instance_id)
        except InstanceExists as exists:
            raise NotOver(instance_id, exists.status) from None
        try:
            await self._store.commit(older)
            # Earlier, a commit that is still on its way could bring it back.
            self._snapshots.forget(instance_id)
        finally:
            self._admission.release(instance_id)
        return bool(older)

    async def rewind(self, instance_id: str, reason: str) -> None:
        """Let a failed instance go on as if nothing in it had failed."""
        instance = await self._known(instance_id)
        if instance.status != "Failed":
            raise NotFailed(instance.status)
        await self._rewinds.rewind(instance_id, reason)

    async def restart(self, instance_id: str, *, anew: bool) -> Instance:
        """Start an instance with the name and the input of another, under its id or a new one."""
        like = await self._known(instance_id)
        if self._app.catalogue.orchestrator(like.name) is None:
            raise NoSuchFunction(self._app.catalogue.missing("orchestrationTrigger", like.name))
        return await self.start(
            Start(name=like.name, id=None if anew else like.id, input=like.input)
        )

    async def get(self, instance_id: str) -> Instance | None:
        """Return an instance as it was last listed, or None."""
        instance = await self._store.listed(instance_id)
        return None if instance is None or self._weather.conceals(instance) else instance

    async def ended(self, instance_id: str, seconds: float) -> Instance | None:
        """Wait for the end of an instance, so many seconds at most; returns it as it is then."""
        with self._endings.awaited(instance_id) as end:
            snapshot = await self._snapshots.get(instance_id)
            if snapshot is None or snapshot.instance.over:
                return snapshot and snapshot.instance
            await asyncio.wait([end], timeout=seconds)
            return end.result() if end.done() else await self.get(instance_id)

    async def select(self, selection: Selection) -> Sequence[Instance]:
        """Return a page of instances, entities included, in the order of their ids."""
        return await self._store.select(selection)

    async def history(self, instance_id: str) -> list[Event]:
        """Return the history of the present execution; empty if there is no such instance."""
        snapshot = await self._snapshots.get(instance_id)
        return parse(snapshot.episodes) if snapshot else []

    async def signal(self, name: str, key: str, operation: str, input: str | None) -> None:
        """Send an entity an operation."""
        await self._entities.signal(name, key, operation, input)

    async def entity(self, name: str, key: str) -> Entity | None:
        """Return an entity, or None if it does not exist."""
        return await self._entities.get(name, key)

    async def entities(self, selection: EntitySelection) -> Sequence[Entity]:
        """Return a page of entities, in the order of their ids."""
        return await self._entities.select(selection)

    async def _known(self, instance_id: str) -> Instance:
        instance = await self._store.instance(instance_id)
        if instance is None or self._weather.conceals(instance):
            raise NoSuchInstance(instance_id)
        return instance

    async def _send(self, instance_id: str, kind: Kind, **fields: Any) -> None:
        told = event(kind, self._clock.now(), **fields)
        await self._post(self._mailboxes.address(instance_id, told))

    async def _post(self, message: Message) -> None:
        await self._store.commit([put_message(message)])
        self._mailboxes.deliver([message])
