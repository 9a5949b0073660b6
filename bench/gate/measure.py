"""What one side carries: many at once, a steady pace with some waiting, and a kill."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bench.gate.sides import Decision, Side
from bench.loopback import Client

AT_ONCE = 16
_BROKEN = (OSError, asyncio.IncompleteReadError, RuntimeError)


@dataclass(frozen=True, kw_only=True, slots=True)
class Extent:
    """How much to measure.

    Attributes:
        orders: begun and decided at once.
        waiting: how many wait while others are decided one by one.
        decided: how many those are.
        pace: of them, a second.
    """

    orders: int
    waiting: tuple[int, ...]
    decided: int
    pace: float

    def of_reports(self) -> Extent:
        """As much of what takes several times as long."""
        return replace(self, orders=max(AT_ONCE, self.orders // 5), waiting=self.waiting[:1])


FULL = Extent(orders=500, waiting=(10, 1_000), decided=100, pace=10.0)
QUICK = Extent(orders=20, waiting=(2,), decided=4, pace=20.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """Seconds from before a decision is sent: to its answer, and until the order came in."""

    waiting: int
    answered: Sequence[float]
    written: Sequence[float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """What was found of one side.

    Attributes:
        single: from a request until its order waits, one after the other, in seconds.
        begun: orders a second, until the last of them waits.
        decided: orders a second, until the last of them came in.
        paces: one for each number of orders that wait.
        killed: from `kill -9` until the first order decided after it came in, in seconds.
    """

    single: Sequence[float]
    begun: float
    decided: float
    paces: Sequence[Pace]
    killed: float


class Measure:
    """Drives one side, which runs already."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._numbers = iter(range(10**9))
        self._asking = Client(side.process.port, side.requester)

    async def figures(self, extent: Extent) -> Figures:
        """Measure all."""
        await self._decided(await self._begun(AT_ONCE))
        single = [await self._single() for _ in range(extent.decided)]
        began = time.perf_counter()
        orders = await self._begun(extent.orders)
        begun = extent.orders / (time.perf_counter() - began)
        decided = extent.orders / await self._decided(orders)
        paces = [await self._pace(count, extent) for count in extent.waiting]
        killed = await self._kill()
        return Figures(single=single, begun=begun, decided=decided, paces=paces, killed=killed)

    async def _single(self) -> float:
        began = time.perf_counter()
        await self._until_waiting(await self._side.begin(self._asking, next(self._numbers)))
        return time.perf_counter() - began

    async def _begun(self, count: int) -> list[str]:
        """Begin so many orders and return when they wait; the last ones are looked at alone."""
        left, orders = iter(range(count)), list[str]()

        async def begin() -> None:
            client = Client(self._side.process.port, self._side.requester)
            for _ in left:
                orders.append(await self._side.begin(client, next(self._numbers)))
            client.close()

        await asyncio.gather(*(begin() for _ in range(AT_ONCE)))
        for order in reversed(orders[-AT_ONCE:]):
            await self._until_waiting(order)
        return orders

    async def _until_waiting(self, order: str) -> None:
        while not await self._side.is_waiting(self._asking, order):  # noqa: ASYNC110 - elsewhere
            await asyncio.sleep(0.005)

    async def _decisions(self, orders: Sequence[str]) -> list[Decision]:
        for order in orders:
            await self._until_waiting(order)
        return [await self._side.decision(self._asking, order) for order in orders]

    async def _decided(self, orders: Sequence[str]) -> float:
        """Decide about these at once; returns the seconds until all of them have come in."""
        left = iter(await self._decisions(orders))

        async def decide() -> None:
            client = Client(self._side.process.port, self._side.approver)
            for decision in left:
                await _send(client, decision)
            client.close()

        began = time.perf_counter()
        await asyncio.gather(*(decide() for _ in range(AT_ONCE)))
        return max([await self._side.written(order) for order in orders]) - began

    async def _pace(self, waiting: int, extent: Extent) -> Pace:
        """Decide one after the other at a steady pace, while so many others wait."""
        await self._begun(waiting)
        orders = await self._begun(extent.decided)
        decisions = await self._decisions(orders)
        clients = [Client(self._side.process.port, self._side.approver) for _ in range(AT_ONCE)]
        began = time.perf_counter()

        async def one(number: int) -> tuple[float, float]:
            await asyncio.sleep(began + number / extent.pace - time.perf_counter())
            sent = time.perf_counter()
            await _send(clients[number % AT_ONCE], decisions[number])
            answered = time.perf_counter()
            return answered - sent, await self._side.written(orders[number]) - sent

        took = await asyncio.gather(*(one(number) for number in range(len(orders))))
        for client in clients:
            client.close()
        answered, written = zip(*took, strict=True)
        return Pace(waiting=waiting, answered=answered, written=written)

    async def _kill(self) -> float:
        [order] = await self._begun(1)
        [decision] = await self._decisions([order])
        began = time.perf_counter()
        self._side.process.kill()
        starting = asyncio.create_task(asyncio.to_thread(self._side.process.start))
        client = Client(self._side.process.port, self._side.approver)
        while not await _is_sent(client, decision):  # noqa: ASYNC110 - it is another process's
            await asyncio.sleep(0.002)
        took = await self._side.written(order) - began
        await starting
        return took


async def _is_sent(client: Client, decision: Decision) -> bool:
    try:
        await _send(client, decision)
    except _BROKEN:
        return False
    return True


async def _send(client: Client, decision: Decision) -> None:
    await client.json("POST", decision.path, 200, 202, body=decision.body)
