"""Run a graph in processes that die by SIGKILL at one of its events.

    mortal.py

Each line of its input is an operation, a type of event and a number of supersteps. The process that
is forked for it knows what was imported and nothing else. It dies at the first event of that type
after so many supersteps of its own; if it lives long enough to come to rest, the line that answers
says where that is. Otherwise it is `null`.
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


async def carry(operation_id: str, event: str, supersteps: str) -> dict[str, Any]:
    """Resume the graph until it rests, and return where that is."""
    app = services()
    stores = CheckpointStores(choose_store(os.environ), app.settings.data / "graph", app.artifacts)
    engine = Engine(app, stores, Death(event, int(supersteps)))
    rest = await engine.resume("home", operation_id)
    closed = rest.operation.closed
    return {
        "request_id": rest.request_id,
        "question": dict(rest.question) if rest.question else None,
        "outcome": closed.outcome if closed else None,
    }


def live(*story: str) -> str:
    """Return what one process has to say in the end, in JSON."""
    reading, writing = os.pipe()
    if (process := os.fork()) == 0:
        with os.fdopen(writing, "w") as said:
            said.write(json.dumps(asyncio.run(carry(*story))))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as heard:
        told = heard.read()
    _, status = os.waitpid(process, 0)
    ended = os.waitstatus_to_exitcode(status)
    if ended not in (0, -signal.SIGKILL):
        raise SystemExit(ended)
    return told if ended == 0 else "null"


if __name__ == "__main__":
    for line in sys.stdin:
        print(live(*line.split()), flush=True)  # noqa: T201 - it is what this is for
