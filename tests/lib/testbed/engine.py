"""The engine of the local host over a file of its own, with an app that a test answers for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from devhost.app.calls import App
from devhost.background import Background
from devhost.console import Console
from devhost.engine.orchestrations import Orchestrations
from devhost.engine.turns import Limits
from devhost.engine.weather import FAIR, Weather
from devhost.state.store import Store
from devhost.time.clock import SystemClock

USUAL = Limits()


@asynccontextmanager
async def engine(
    folder: Path, app: App, weather: Weather = FAIR, limits: Limits = USUAL
) -> AsyncIterator[Orchestrations]:
    """An engine that keeps its state in a folder, and runs as long as the block does."""
    store, clock = Store(folder / "state.db", pytest.fail), SystemClock()
    console = Console(clock)
    running = Orchestrations(
        store,
        app=app,
        clock=clock,
        console=console,
        background=Background(console, pytest.fail),
        limits=limits,
        weather=weather,
    )
    await running.open()
    try:
        yield running
    finally:
        await running.close()
        await store.close()
