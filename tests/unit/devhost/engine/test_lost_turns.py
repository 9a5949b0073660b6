"""What follows from a turn that is not kept goes out all the same, and the turn comes again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from devhost.app.calls import Answer, Call
from devhost.durable.instance import Start
from devhost.engine.weather import Weather
from devhost.functions.catalogue import Catalogue, Function
from testbed.engine import engine

KINDS = {"parent": "orchestration", "child": "orchestration", "work": "activity"}
CHILD = {"actionType": 2, "functionName": "child", "instanceId": "the-child", "input": "1"}
WORK = {"actionType": 0, "functionName": "work", "input": "1"}
TASK_COMPLETED, CHILD_COMPLETED = '"EventType": 5', '"EventType": 8'


class FirstTurnsAreLost(Weather):
    """Loses the first turns; all else is fair."""

    sends_first = True

    def __init__(self, turns: int) -> None:
        self.left = turns

    def loses_turn(self) -> bool:
        self.left -= 1
        return self.left >= 0


class Family:
    """An orchestrator that calls a child which calls an activity; it counts its calls."""

    catalogue = Catalogue(
        [Function(name=name, trigger={"type": f"{kind}Trigger"}) for name, kind in KINDS.items()]
    )

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def call(self, call: Call) -> Answer:
        self.calls.append(call.function)
        if call.function == "work":
            return Answer(body=b"1")
        action, result = (CHILD, CHILD_COMPLETED)
        if call.function == "child":
            action, result = (WORK, TASK_COMPLETED)
        done = result in call.body.decode()
        state: dict[str, Any] = {"isDone": done, "actions": [[action]], "output": "done"}
        return Answer(body=json.dumps(state).encode())


@pytest.mark.parametrize("lost", range(6))
async def test_an_instance_comes_to_its_end_however_many_turns_are_lost(
    tmp_path: Path, lost: int
) -> None:
    app = Family()
    async with engine(tmp_path, app, FirstTurnsAreLost(lost)) as running:
        await running.start(Start(name="parent", id="one"))
        ended = await running.ended("one", 10)
        assert ended is not None
        assert (ended.status, ended.output) == ("Completed", '"done"')
    assert app.calls.count("parent") >= 2
    assert len(app.calls) >= 5 + lost


async def test_work_of_a_turn_that_was_lost_runs_and_runs_again(tmp_path: Path) -> None:
    app = Family()
    async with engine(tmp_path, app, FirstTurnsAreLost(1)) as running:
        await running.start(Start(name="child", id="one"))
        await running.ended("one", 10)
    assert app.calls.count("work") == 2
