"""What instances that wait for an event cost, and how soon they go on."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from bench.loopback import Client
from bench.usage import Usage, children, usage
from devhost.process import HostProcess

_INSTANCES = "/durabletask/instances"
_BROKEN = (OSError, asyncio.IncompleteReadError)
_AT_ONCE = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """What was found with one number of waiting instances.

    Attributes:
        count: That number.
        memory, worker_memory: What each adds to the empty host and to its worker, in bytes.
        idle: The CPU that both take while nothing happens; 1 is one core.
        resumed: From before the event was sent until the end of its instance was seen, in seconds.
        answering, serving: From `kill -9` to the first HTTP answer, and to the end of an instance
            that got its event since, in seconds.
    """

    count: int
    memory: float
    worker_memory: float
    idle: float
    resumed: list[float]
    answering: float
    serving: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Effort:
    """How much to measure: events, seconds of idleness, and kills, at each number."""

    events: int
    idle_seconds: float
    kills: int


class WaitingRoom:
    """The instances that wait on one host."""

    def __init__(self, host: HostProcess, effort: Effort) -> None:
        self._host = host
        self._effort = effort
        self._client = Client(host.port)
        self._names = (f"waiter-{number}" for number in range(10**9))
        self._waiting: list[str] = []

    async def measure(self, counts: Iterable[int]) -> list[Waiting]:
        """Fill the room up to each of `counts` in turn, and measure."""
        await self._warm_up()
        empty = self._usage()
        return [await self._measure(count, empty) for count in counts]

    async def _warm_up(self) -> None:
        # What the first instances bring into memory is there once, however many follow.
        await self._fill(4 * _AT_ONCE)
        for _ in list(self._waiting):
            await self._resume(self._waiting.pop())

    async def _measure(self, count: int, empty: tuple[Usage, Usage]) -> Waiting:
        await self._fill(count)
        full = self._usage()
        memory = [
            (now.memory - before.memory) / count for now, before in zip(full, empty, strict=True)
        ]
        idle = await self._idle()
        resumed = [await self._event() for _ in range(self._effort.events)]
        kills = [await self._kill() for _ in range(self._effort.kills)]
        answering, serving = (statistics.median(times) for times in zip(*kills, strict=True))
        return Waiting(
            count=count,
            memory=memory[0],
            worker_memory=memory[1],
            idle=idle,
            resumed=resumed,
            answering=answering,
            serving=serving,
        )

    def _usage(self) -> tuple[Usage, Usage]:
        [host] = children(self._host.pid)
        workers = map(usage, children(host))
        return usage(host), sum(workers, Usage(memory=0, cpu=0))

    async def _idle(self) -> float:
        began, before = time.perf_counter(), self._usage()
        await asyncio.sleep(self._effort.idle_seconds)
        took, after = time.perf_counter() - began, self._usage()
        return sum(now.cpu - then.cpu for now, then in zip(after, before, strict=True)) / took

    async def _fill(self, count: int) -> None:
        missing = iter(range(count - len(self._waiting)))

        async def start() -> None:
            client = Client(self._host.port)
            for _ in missing:
                await self._start(client)
            client.close()

        await asyncio.gather(*(start() for _ in range(_AT_ONCE)))
        while True:
            if not await self._client.json("GET", f"{_INSTANCES}?runtimeStatus=Pending&top=1", 200):
                return
            await asyncio.sleep(0.02)

    async def _start(self, client: Client) -> None:
        name = next(self._names)
        await client.json("POST", f"/durabletask/orchestrators/waiter/{name}", 202)
        self._waiting.append(name)

    async def _event(self) -> float:
        # The one that waited longest is the one that nothing keeps at hand.
        took = await self._resume(self._waiting.pop(0))
        await self._start(self._client)
        await self._until(self._waiting[-1], 202, "Running")
        return took

    async def _resume(self, name: str) -> float:
        began = time.perf_counter()
        await self._client.json("POST", f"{_INSTANCES}/{name}/raiseEvent/go", 202, body=b"true")
        await self._until(name, 200, "Completed")
        return time.perf_counter() - began

    async def _until(self, name: str, status: int, wanted: str) -> None:
        while True:
            found = await self._client.json("GET", f"{_INSTANCES}/{name}", 200, 202)
            if found["runtimeStatus"] == wanted:
                return

    async def _kill(self) -> tuple[float, float]:
        began = time.perf_counter()
        self._host.kill()
        starting = asyncio.create_task(asyncio.to_thread(self._host.start))
        await self._answers()
        answering = time.perf_counter() - began
        await self._resume(self._waiting.pop(0))
        serving = time.perf_counter() - began
        await starting
        await self._start(self._client)
        return answering, serving

    async def _answers(self) -> None:
        while True:
            with suppress(*_BROKEN):
                await self._client.request("GET", f"{_INSTANCES}/{self._waiting[0]}")
                return
            await asyncio.sleep(0.002)
