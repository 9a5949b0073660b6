"""How many chains of three activities a second: the local host, and what is beside it."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bench.loopback import Client

# Every chain that is waited for holds one of the ten threads of durabletask's backend, and its
# worker needs the rest.
CONCURRENCY = 8

_CHAIN = "/durabletask/orchestrators/chain?timeout=60&pollingInterval=0.01"

# Takes a number of chains and returns the seconds that they took.
Runner = Callable[[int], Awaitable[float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """Chains per second.

    Attributes:
        ours: Of the local host.
        together, apart: Of durabletask in one process, and in three (see `bench.rival`).
    """

    ours: float
    together: float
    apart: float


async def rates(port: int, count: int, rounds: int) -> Rates:
    """Run `count` chains on each side in turn, `rounds` times, and return the medians.

    Args:
        port: Where the local host listens.
        count: Chains in one round.
        rounds: How often each side has its turn; one turn more, before these, is not counted.
    """
    async with _rival("together") as together, _rival("apart") as apart:
        sides: list[Runner] = [lambda n: _ours(port, n), together, apart]
        for side in sides:
            await side(CONCURRENCY)
        took = [[await side(count) for side in sides] for _ in range(rounds)]
    ours, together_rate, apart_rate = (
        statistics.median(count / seconds for seconds in side) for side in zip(*took, strict=True)
    )
    return Rates(ours=ours, together=together_rate, apart=apart_rate)


async def _ours(port: int, count: int) -> float:
    left = iter(range(count))

    async def one_by_one() -> None:
        client = Client(port)
        for _ in left:
            await client.json("POST", _CHAIN, 200)
        client.close()

    began = time.perf_counter()
    await asyncio.gather(*(one_by_one() for _ in range(CONCURRENCY)))
    return time.perf_counter() - began


@asynccontextmanager
async def _rival(arrangement: str) -> AsyncIterator[Runner]:
    command = [sys.executable, "-m", "bench.rival", arrangement]
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)

    async def run(count: int) -> float:
        return await _ask(process, count)

    try:
        yield run
    finally:
        # It ends its own processes when its standard input ends.
        await process.communicate(b"")


async def _ask(process: Process, count: int) -> float:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the other side has no standard streams")
    process.stdin.write(f"{count} {CONCURRENCY}\n".encode())
    return float(await process.stdout.readline())
