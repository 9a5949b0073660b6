"""Run a graph in a process that dies by SIGKILL at one of its events.

    mortal.py OPERATION EVENT SUPERSTEPS

It dies at the first event of that type after so many supersteps of its own; if it lives long enough
to come to rest, it writes where that is.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any

from countersign.graph.checkpoint_stores import CheckpointStores, choose_store
from countersign.graph.engine import Engine
from countersign.wiring import services


class Death:
    """Listens for one type of event and dies at one of them."""

    def __init__(self, event: str, supersteps: int) -> None:
        self.event, self.left = event, supersteps

    def __call__(self, event: Any) -> None:
        if event.type == self.event and self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        if event.type == "superstep_completed":
            self.left -= 1


async def main(operation_id: str, event: str, supersteps: str) -> None:
    app = services()
    stores = CheckpointStores(choose_store(os.environ), app.settings.data / "graph", app.artifacts)
    engine = Engine(app, stores, Death(event, int(supersteps)))
    rest = await engine.resume("home", operation_id)
    closed = rest.operation.closed
    standing = {
        "request_id": rest.request_id,
        "question": dict(rest.question) if rest.question else None,
        "outcome": closed.outcome if closed else None,
    }
    sys.stdout.write(json.dumps(standing))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
