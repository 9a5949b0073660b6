"""What the command line says about a host."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from devhost.engine.turns import Limits


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """The options of `start`.

    Attributes:
        app: The folder of the app.
        data: The folder of everything that outlives the process.
        address: The loopback address to listen on.
        port: The port to listen on; 0 for a free one, None for the one that the settings name.
        verbose: Whether details are wanted on the console.
        reload: Whether to follow changes of the app's source.
        local_settings: Whether local.settings.json is read.
        virtual: Whether the clock only moves when told.
        python: The interpreter that runs the app.
        worker_memory: The most bytes that a worker process may have resident.
        limits: What orchestrations may take.
        weather: How far the engine can rely on what keeps its state, by the name of a weather.
        seed: What the weather is drawn from.
    """

    app: Path
    data: Path
    address: str = "127.0.0.1"
    port: int | None = None
    verbose: bool = False
    reload: bool = False
    local_settings: bool = True
    virtual: bool = False
    python: str = sys.executable
    worker_memory: float = float("inf")
    limits: Limits = field(default_factory=Limits)
    weather: str = ""
    seed: int = 0
