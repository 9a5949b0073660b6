"""How many orchestrators and activities run at a time."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from devhost.app.calls import Answer, Call
from devhost.durable.instance import Start
from devhost.engine.orchestrations import Orchestrations
from devhost.engine.turns import Limits
from devhost.functions.catalogue import Catalogue, Function
from testbed.engine import engine

KINDS = {"asks": "orchestration", "hangs": "orchestration", "work": "activity"}
WORK = {"actionType": 0, "functionName": "work", "input": "1"}
STARTED = 15


class Busy:
    """An app in which one orchestrator asks for an activity, and all else takes for ever."""

    catalogue = Catalogue(
        [Function(name=name, trigger={"type": f"{kind}Trigger"}) for name, kind in KINDS.items()]
    )

    def __init__(self) -> None:
        self.under_way: Counter[str] = Counter()

    async def call(self, call: Call) -> Answer:
        if call.function == "asks":
            return Answer(body=json.dumps({"isDone": False, "actions": [[WORK]]}).encode())
        self.under_way[call.function] += 1
        await asyncio.Event().wait()
        raise AssertionError("it took no end")


@pytest.mark.parametrize(
    ("limits", "activities", "orchestrators"),
    [
        # As many as on Azure Storage
        (Limits(), 10, 5),
        (Limits(activities=2, episodes=3), 2, 3),
    ],
)
async def test_no_more_run_than_may(
    tmp_path: Path, limits: Limits, activities: int, orchestrators: int
) -> None:
    app, expected = Busy(), Counter(work=activities, hangs=orchestrators)
    async with engine(tmp_path, app, limits=limits) as running:
        for name in ("asks", "hangs"):
            for number in range(STARTED):
                await running.start(Start(name=name, id=f"{name}-{number}"))
        await asyncio.wait_for(until_under_way(running, app, expected), 60)
        for _ in range(300):
            # Each look gives whatever else could begin a moment for it.
            await running.get("asks-0")
    assert app.under_way == expected


async def until_under_way(running: Orchestrations, app: Busy, wanted: Counter[str]) -> None:
    while not wanted <= app.under_way:
        await running.get("asks-0")
