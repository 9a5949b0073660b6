"""The local host, measured from outside over HTTP with its state on disk, as its users have it."""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.chains import CONCURRENCY, Rates, rates
from bench.waiting import Effort, Waiting, WaitingRoom
from devhost.process import HostProcess, free_port

_APP = Path(__file__).parent / "app"


@dataclass(frozen=True, kw_only=True, slots=True)
class Extent:
    """How much to measure: chains in a round, rounds, and numbers of waiting instances."""

    chains: int
    rounds: int
    waiting: tuple[int, ...]
    effort: Effort


FULL = Extent(
    chains=300,
    rounds=5,
    waiting=(10, 1_000, 10_000),
    effort=Effort(events=200, idle_seconds=5, kills=3),
)
QUICK = Extent(
    chains=16,
    rounds=1,
    waiting=(2, 20),
    effort=Effort(events=5, idle_seconds=0.2, kills=1),
)


async def run(extent: Extent) -> None:
    """Measure and print a table."""
    with _running() as host:
        found = await rates(host.port, extent.chains, extent.rounds)
    _print_rates(found, extent)
    with _running() as host:
        waiting = await WaitingRoom(host, extent.effort).measure(extent.waiting)
    _print_waiting(waiting)


@contextmanager
def _running() -> Iterator[HostProcess]:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        with data.joinpath("host.log").open("w") as log:
            host = HostProcess(
                app=_APP,
                data=data,
                port=free_port(),
                environment=os.environ,
                output=log,
                health="/durabletask/instances",
            )
            host.start()
            try:
                yield host
            finally:
                host.kill()


def _print_rates(found: Rates, extent: Extent) -> None:
    what = f"chains of three activities, {CONCURRENCY} at a time"
    _row(f"{what}; medians of {extent.rounds} x {extent.chains}", "a second", "ours is")
    _row("devhost: over HTTP, state on disk, worker apart", f"{found.ours:.0f}")
    for name, rate in (("in one process", found.together), ("three processes", found.apart)):
        _row(f"durabletask: gRPC, in memory, {name}", f"{rate:.0f}", f"{found.ours / rate:.1f} x")
    print()


def _print_waiting(found: Sequence[Waiting]) -> None:
    def row(what: str, figure: Callable[[Waiting], float], decimals: int = 1) -> None:
        _row(what, *(f"{figure(waiting):.{decimals}f}" for waiting in found))

    def late(share: int) -> Callable[[Waiting], float]:
        return lambda waiting: statistics.quantiles(waiting.resumed, n=100)[share - 1]

    least = late(95)(found[0])
    _row("waiting instances", *(f"{waiting.count:,}" for waiting in found))
    row("memory for each, KB: host", lambda waiting: waiting.memory / 1024)
    row("                     worker", lambda waiting: waiting.worker_memory / 1024)
    row("CPU while idle, % of a core", lambda waiting: 100 * waiting.idle)
    for share in (50, 95, 99):
        row(f"event to resume, ms: p{share}", lambda waiting, s=share: 1000 * late(s)(waiting))
    row("                     p95, ratio to the first", lambda waiting: late(95)(waiting) / least)
    row("kill -9 to HTTP answers, s", lambda waiting: waiting.answering, 2)
    row("        to instances that resume, s", lambda waiting: waiting.serving, 2)


def _row(what: str, *figures: str) -> None:
    print(f"{what:66}" + "".join(f"{figure:>10}" for figure in figures), flush=True)
