"""One world: machines, hubs, a purchasing system and people, and all that goes wrong among them."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from countersign.approvals.ledger import Entry, Row
from countersign.stores.memory import MemoryArtifacts, MemoryLedger, MemoryProgress
from countersign.stores.memory_allowances import MemoryAllowances
from countersign.stores.memory_index import MemoryIndex
from countersign.stores.summary import Summary
from devhost.durable.history import Kind, event
from devhost.durable.snapshot import Snapshot
from endpoints.reconcile import reconcile
from testbed.explorer.chance import Chance
from testbed.explorer.client import HubClient
from testbed.explorer.hub import Hub
from testbed.explorer.machine import Machine
from testbed.explorer.people import TENANT, People
from testbed.explorer.services import Shared, purchasing_of, services_of, settings_of
from testbed.explorer.system import System

DAY = 86_400.0
HOST = Path(__file__).parents[4] / "host.json"
VERSION: str = json.loads(HOST.read_text("utf-8"))["extensions"]["durableTask"]["defaultVersion"]
POISON = {"__class__": "Popen", "__module__": "subprocess", "__data__": "rm"}
"""What the SDK can't decode: it tries to build an object of a class of that name."""


class OneFile(MemoryLedger):
    """A ledger that has the index in the same file."""

    def __init__(self, index: MemoryIndex) -> None:
        super().__init__()
        self._index = index

    async def append(
        self,
        tenant: str,
        operation_id: str,
        expected_sequence: int,
        events: Sequence[Entry],
        *,
        shown: Summary | None = None,
        first: Callable[[], None] | None = None,
    ) -> list[Row]:
        if first:
            first()
        rows = await super().append(tenant, operation_id, expected_sequence, events)
        if shown:
            await self._index.put(shown, "")
        return rows


class World:
    """Everything there is.

    Args:
        seed: what all of it is drawn from.

    Attributes:
        chance: the dice.
        told: what went wrong, for who looks for the cause of a broken promise.
    """

    def __init__(self, seed: int) -> None:
        self.chance = chance = Chance(seed)
        # The app's own pauses are drawn from these.
        random.seed(seed)
        self.told: list[str] = []
        self.skew = chance.choice([0.0, 0.0, 2.0, 30.0])
        self.lasts = chance.uniform(0.2, 1) * 3600
        index, artifacts = MemoryIndex(), MemoryArtifacts()
        one_file = chance.random() < 0.5
        ledger = OneFile(index) if one_file else MemoryLedger()
        self.settings = settings_of(chance)
        self.system = System(chance, purchasing_of(self.settings), self._length)
        self.shared = Shared(
            ledger=ledger,
            index=index,
            artifacts=artifacts,
            progress=MemoryProgress(),
            allowances=MemoryAllowances(),
            one_file=one_file,
            system=self.system,
        )
        self.hubs: list[Hub] = []
        self.machines: list[list[Machine]] = []
        # Orchestrations may have begun with an earlier release.
        self._version = None if seed % 3 == 2 else VERSION
        replaces = chance.random() < 0.7
        for number in range(chance.choice([1, 1, 1, 2])):
            self.machines.append([self._new_machine() for _ in range(chance.choice([1, 2, 3]))])
            self.hubs.append(self._new_hub(number, replaces=replaces))
        self.people = People(self)
        self.places = chance.choice([1, 2, 3])
        self.pause = chance.choice([20.0, 100.0, 300.0])

    async def play(self) -> None:
        """Let everything happen, then bring the world to rest and wait until all has ended."""
        lives = [
            asyncio.ensure_future(self.people.live(place, self.lasts))
            for place in range(self.places)
        ]
        others = [asyncio.ensure_future(self._go_wrong())]
        others += [asyncio.ensure_future(self._reconcile(n)) for n in range(len(self.hubs))]
        await asyncio.sleep(self.lasts)
        self._come_to_rest()
        await asyncio.gather(*lives)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._until_closed(), 3 * DAY)
        # What was sent long ago may still turn up.
        await asyncio.sleep(900)
        for task in others:
            task.cancel()
        for hub in self.hubs:
            hub.close()

    async def rows(self, operation_id: str) -> list[Row]:
        """The ledger of an operation as it is."""
        return await self.shared.ledger.read(TENANT, operation_id)

    def attempt(self, work: Callable[[Machine], Awaitable[None]]) -> asyncio.Task[bool]:
        """Have something done on some machine; the answer is whether that came to its end."""
        return asyncio.ensure_future(self._attempted(work))

    async def _attempted(self, work: Callable[[Machine], Awaitable[None]]) -> bool:
        machine = self._some_machine(self.chance.randrange(len(self.hubs)))
        if machine is None:
            return False
        try:
            await machine.run(cast("Any", work(machine)))
        except asyncio.CancelledError:
            if machine.alive:
                raise
            return False
        except Exception as error:  # noqa: BLE001 - a client is told that it did not work
            self._tell(f"refused: {type(error).__name__} {error}")
            return False
        return True

    def client(self, machine: Machine) -> Any:
        """The client of the hub that a machine works for."""
        number = next(n for n, each in enumerate(self.machines) if machine in each)
        return HubClient(self.hubs[number], machine, self.chance)

    def is_over(self, operation_id: str) -> bool:
        """Whether an operation has ended."""
        return self.shared.ends_with(TENANT, operation_id, "OperationClosed")

    def _new_machine(self) -> Machine:
        skew = timedelta(seconds=self.chance.uniform(-self.skew, self.skew))
        machine = Machine(self.chance, skew)
        machine.services = services_of(machine, self.settings, self.shared)
        return machine

    def _new_hub(self, number: int, *, replaces: bool) -> Hub:
        return Hub(
            self.chance,
            lambda: self._some_machine(number),
            lambda machine, key: machine.services.notifier.notify(TENANT, key),
            replaces=replaces,
            version=self._version,
        )

    def _some_machine(self, number: int) -> Machine | None:
        alive = [each for each in self.machines[number] if each.alive]
        return self.chance.choice(alive) if alive else None

    def _length(self, operation_id: str) -> int:
        return self.shared.length(TENANT, operation_id)

    async def _reconcile(self, number: int) -> None:
        while True:
            await asyncio.sleep(60)
            if machine := self._some_machine(number):
                machine.run(_quietly(reconcile(machine.services, self.client(machine))))

    async def _until_closed(self) -> None:
        while True:
            if all(map(self.is_over, self.people.asked)):
                return
            await asyncio.sleep(60)

    def _come_to_rest(self) -> None:
        self._tell("comes to rest")
        self.chance.calm = True
        for number, machines in enumerate(self.machines):
            if not any(each.alive for each in machines):
                self.machines[number].append(self._new_machine())

    async def _go_wrong(self) -> None:
        faults = [
            *[self._kill] * 4,
            *[self._freeze] * 4,
            *[self._terminate, self._poison, self._ring] * 2,
            *[self._purge, self._outage, self._lose_hub, self._restore_hub],
        ]
        kept: list[Sequence[dict[str, Snapshot]]] = []
        while not self.chance.calm:
            await asyncio.sleep(self.chance.expovariate(1 / self.pause))
            kept.append([dict(hub.instances) for hub in self.hubs])
            self._kept = self.chance.choice(kept)
            if not self.chance.calm:
                self.chance.choice(faults)(self.chance.randrange(len(self.hubs)))

    def _kill(self, number: int) -> None:
        if machine := self._some_machine(number):
            self._tell(f"machine of hub {number} dies")
            machine.die()
            later = self.chance.uniform(1, 60)
            asyncio.get_running_loop().call_later(later, self._another, number)

    def _another(self, number: int) -> None:
        alive = [each for each in self.machines[number] if each.alive]
        self.machines[number] = [*alive, self._new_machine()]

    def _freeze(self, number: int) -> None:
        if machine := self._some_machine(number):
            seconds = self.chance.choice([5.0, 30.0, 120.0, 700.0, 3600.0])
            self._tell(f"machine of hub {number} freezes for {seconds}")
            machine.freeze(seconds)

    def _terminate(self, number: int) -> None:
        for name in self._some_instance(number):
            self._tell(f"{name} of hub {number} is terminated")
            ends = event(Kind.ExecutionTerminated, self.chance.now(), Input="by somebody")
            self.hubs[number].post(name, ends)

    def _purge(self, number: int) -> None:
        for name in self._some_instance(number):
            self._tell(f"{name} of hub {number} is removed")
            self.hubs[number].forget(name)

    def _ring(self, number: int) -> None:
        self._raise(number, {"sequence": 1})

    def _poison(self, number: int) -> None:
        self._raise(number, POISON)

    def _raise(self, number: int, data: Any) -> None:
        for name in self._some_instance(number):
            text = json.dumps(data)
            told = event(Kind.EventRaised, self.chance.now(), Name="ApprovalDecision", Input=text)
            self.hubs[number].post(name, told)

    def _outage(self, number: int) -> None:
        seconds = self.chance.choice([10.0, 60.0, 600.0])
        self._tell(f"no store for {seconds}")
        self.chance.out_until = self.chance.time() + seconds

    def _lose_hub(self, number: int) -> None:
        self._tell(f"hub {number} is lost")
        self.hubs[number].restore({})

    def _restore_hub(self, number: int) -> None:
        self._tell(f"hub {number} is restored")
        self.hubs[number].restore(self._kept[number])

    def _some_instance(self, number: int) -> Sequence[str]:
        names = list(self.hubs[number].instances)
        return [self.chance.choice(names)] if names else []

    def _tell(self, what: str) -> None:
        self.told.append(f"{self.chance.time():9.1f}  {what}")


async def _quietly(work: Any) -> None:
    with suppress(Exception):
        await work
