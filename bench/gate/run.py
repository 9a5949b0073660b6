"""Measures the sides one after the other, and prints what they carry and the ratios."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bench.gate import rival_env
from bench.gate.measure import QUICK, Extent, Figures, Measure
from bench.gate.shop import Shop
from bench.gate.sides import Bare, Countersign, LangGraph, Place, Reports, Side

_Make = Callable[[Place], Side]


async def run(extent: Extent) -> None:
    """Measure and print a table."""
    found: dict[str, Figures] = {}
    for make in _sides(install=extent is not QUICK):
        async with _running(make) as side:
            found[side.name] = await Measure(side).figures(extent)
    _print(found, extent)
    async with _running(Reports) as side:
        extent = extent.of_reports()
        _print({side.name: await Measure(side).figures(extent)}, extent)


def _sides(*, install: bool) -> Sequence[_Make]:
    try:
        python = rival_env.python(install=install)
    except rival_env.NotInstalled as reason:
        print(f"LangGraph is left out: {reason}")
        return [Countersign, Bare]
    return [Countersign, Bare, lambda place: LangGraph(place, python)]


@asynccontextmanager
async def _running(make: _Make) -> AsyncIterator[Side]:
    shop = Shop()
    await shop.open()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with folder.joinpath("side.log").open("w") as output:
            side = make(Place(folder=folder, shop=shop, output=output))
            side.process.start()
            try:
                yield side
            finally:
                side.process.kill()
                await shop.close()


def _print(found: Mapping[str, Figures], extent: Extent) -> None:
    ours, *others = found.values()

    def row(what: str, figure: Callable[[Figures], float], unit: str) -> None:
        ratios = [f"{figure(ours) / figure(other):.2f} x" for other in others]
        _row(f"{what}, {unit}", *(f"{figure(each):.1f}" for each in found.values()), *ratios)

    _row("what is asked for", *found, *(f"to {name}" for name in list(found)[1:]))
    row("asked for until it waits, one at a time", _middle, "ms")
    row(f"begun until they wait, {extent.orders} at once", lambda each: each.begun, "a second")
    row(f"decided until written, {extent.orders} at once", lambda each: each.decided, "a second")
    for number, count in enumerate(extent.waiting):
        at = f"{count:,} wait, {extent.pace:g} decisions a second"
        for share in (50, 95, 99):
            row(f"{at}: written p{share}", _late(number, share, "written"), "ms")
        row(f"{at}: answered p95", _late(number, 95, "answered"), "ms")
    row("kill -9 until the next one is written", lambda each: each.killed, "s")


def _middle(figures: Figures) -> float:
    return 1000 * statistics.median(figures.single)


def _late(number: int, share: int, of: str) -> Callable[[Figures], float]:
    def late(figures: Figures) -> float:
        took: Sequence[float] = getattr(figures.paces[number], of)
        return 1000 * statistics.quantiles(took, n=100, method="inclusive")[share - 1]

    return late


def _row(what: str, *figures: str) -> None:
    print(f"{what:66}" + "".join(f"{figure:>24}" for figure in figures), flush=True)
