"""Prints what one approved order and one approved report cost, with each kind of stores."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench.cost.counting import Counts, count
from local.azurite import Azurite
from local.errors import Missing


async def run() -> None:
    """Count and print a table for each kind of stores."""
    _print("embedded stores", await count())
    with tempfile.TemporaryDirectory() as folder:
        server = Azurite(Path(folder))
        try:
            server.start()
        except Missing as missing:
            print(f"Azure storage is left out: {missing}")
            return
        try:
            _print("Azure storage (Azurite)", await count(server.connection_string))
        finally:
            server.stop()


def _print(stores: str, found: Mapping[str, Counts]) -> None:
    print(f"{stores:42}" + "".join(f"{name:>10}" for name in found))
    for what in sorted({each for counts in found.values() for each in counts}):
        print(f"{what:42}" + "".join(f"{counts.get(what, 0):>10}" for counts in found.values()))
    print()
