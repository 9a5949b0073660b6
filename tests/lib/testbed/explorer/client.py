"""The SDK's client of a hub, as one machine has it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import aiohttp
from azure.durable_functions import EntityId, OrchestrationRuntimeStatus

from devhost.durable.history import Kind, event
from devhost.durable.instance import Instance
from devhost.time.clock import read_stamp
from testbed.explorer.chance import Chance
from testbed.explorer.hub import Hub
from testbed.explorer.machine import Machine


@dataclass(frozen=True)
class Shown:
    """What a client is told of an instance, under the names that the SDK has for it."""

    runtime_status: OrchestrationRuntimeStatus | None = None
    created_time: datetime | None = None
    last_updated_time: datetime | None = None
    historyEvents: Any = None


class HubClient:
    """Asks a hub over a wire that loses questions and answers.

    Args:
        hub: the hub.
        machine: who asks.
        chance: what goes wrong.
    """

    def __init__(self, hub: Hub, machine: Machine, chance: Chance) -> None:
        self._hub, self._machine, self._chance = hub, machine, chance

    async def start_new(
        self, orchestration_function_name: str, *, instance_id: str, client_input: Any
    ) -> str:
        await self._passes()
        given = json.dumps(client_input)
        self._hub.start(orchestration_function_name, instance_id, given)
        await self._passes()
        return instance_id

    async def raise_event(self, instance_id: str, event_name: str, event_data: Any) -> None:
        await self._passes()
        if self._running(instance_id) is None:
            raise LookupError(instance_id)
        text = json.dumps(event_data)
        self._hub.post(
            instance_id, event(Kind.EventRaised, self._chance.now(), Name=event_name, Input=text)
        )
        await self._passes()

    async def get_status(self, instance_id: str, *, show_history: bool = False) -> Shown:
        await self._passes()
        own = self._visible(instance_id)
        history = list(self._hub.under_way(instance_id)) if show_history else []
        named = [{**each, "EventType": Kind(each["EventType"]).name} for each in history]
        await self._passes()
        if own is None:
            return Shown()
        status = OrchestrationRuntimeStatus(own.status)
        return Shown(status, read_stamp(own.created), read_stamp(own.updated), named)

    async def terminate(self, instance_id: str, reason: str) -> None:
        await self._passes()
        own = self._running(instance_id)
        if own is None:
            raise LookupError(instance_id)
        self._hub.post(
            instance_id, event(Kind.ExecutionTerminated, self._chance.now(), Input=reason)
        )
        await self._passes()

    async def purge_instance_history(self, instance_id: str) -> None:
        await self._passes()
        own = self._visible(instance_id)
        if own and not own.over:
            raise ValueError("Only orchestrations in a terminal state can be purged")
        self._hub.forget(instance_id)
        await self._passes()

    async def signal_entity(self, entity_id: EntityId, operation_name: str, given: Any) -> None:
        await self._passes()
        self._hub.signal(entity_id.key)
        await self._passes()

    def _running(self, instance_id: str) -> Instance | None:
        own = self._visible(instance_id)
        return own if own and not own.over else None

    def _visible(self, instance_id: str) -> Instance | None:
        there = self._hub.instances.get(instance_id)
        if there is None or self._chance.time() < self._hub.hidden.get(instance_id, 0.0):
            return None
        return there.instance

    async def _passes(self) -> None:
        await self._machine.passes()
        if self._chance.happens(0.02):
            raise aiohttp.ClientConnectionError
