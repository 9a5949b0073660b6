from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from devhost.app.calls import Answer, Call
from devhost.durable.instance import Start
from devhost.engine.orchestrations import Orchestrations
from devhost.errors import WrongState
from devhost.functions.catalogue import Catalogue, Function
from testbed.engine import engine

WAITING = {"isDone": False, "actions": [[{"actionType": 6, "externalEventName": "go"}]]}


def answered(**state: Any) -> Answer:
    return Answer(body=json.dumps({**WAITING, **state}).encode())


class Script:
    """An app of one orchestrator, whose answers come from the test."""

    catalogue = Catalogue([Function(name="o", trigger={"type": "orchestrationTrigger"})])

    def __init__(self, answer: Callable[[], Awaitable[Answer]]) -> None:
        self._answer = answer
        self.under_way = 0

    async def call(self, call: Call) -> Answer:
        assert call.function == "o"
        self.under_way += 1
        try:
            return await self._answer()
        finally:
            self.under_way -= 1


def always(answer: Answer) -> Script:
    async def same() -> Answer:
        return answer

    return Script(same)


async def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true in time"
        await asyncio.sleep(0)


async def reached(running: Orchestrations, status: str, *, turns: int = 0) -> int:
    """Wait for a status after at least so many turns; returns how many there were."""
    deadline = time.monotonic() + 5
    while (found := await running.get("one")) is None or (
        found.status != status or found.episodes < turns
    ):
        assert time.monotonic() < deadline, f"{found} is not {status}"
        await asyncio.sleep(0)
    return found.episodes


LABEL = "\n\n$OutOfProcData$:"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (answered(actions=[[{"actionType": 0}]]), "can't carry this out: KeyError('functionName')"),
        (Answer(body=b"[" * 100_000), "can't carry this out: RecursionError"),
        (Answer(error=f"it broke{LABEL}no JSON"), "it broke"),
        (Answer(error=f'it broke{LABEL}{{"isDone": true}}'), "not an orchestrator's state"),
        (Answer(error="it broke"), "it broke"),
        # The orchestrator's own text holds the label.
        (
            Answer(error=f'it broke{LABEL}x{LABEL}{{"actions": [[]], "error": "said"}}'),
            "failed: said",
        ),
    ],
)
async def test_an_answer_that_nobody_foresaw_fails_its_instance(
    tmp_path: Path, answer: Answer, reason: str
) -> None:
    async with engine(tmp_path, always(answer)) as running:
        await running.start(Start(name="o", id="one"))
        ended = await running.ended("one", 5)
    assert ended is not None
    assert ended.status == "Failed"
    assert reason in (ended.output or "")


async def test_pauses_that_were_sent_at_once_end_together(tmp_path: Path) -> None:
    async with engine(tmp_path, always(answered())) as running:
        await running.start(Start(name="o", id="one"))
        await reached(running, "Running")
        pauses = (running.suspend("one", ""), running.suspend("one", ""))
        # The second is refused if the first has taken effect by then.
        for said in await asyncio.gather(*pauses, return_exceptions=True):
            assert said is None or isinstance(said, WrongState)
        await reached(running, "Suspended")
        await running.raise_event("one", "go", "1")
        await running.resume("one", "")
        await reached(running, "Running")


async def test_a_pause_is_refused_until_the_resumption_was_played(tmp_path: Path) -> None:
    calls = 0
    played = asyncio.Event()

    async def slow_second() -> Answer:
        nonlocal calls
        calls += 1
        if calls == 2:
            await played.wait()
        return answered()

    async with engine(tmp_path, Script(slow_second)) as running:
        await running.start(Start(name="o", id="one"))
        await reached(running, "Running")
        with pytest.raises(WrongState, match=r"Cannot resume .* the Running state"):
            await running.resume("one", "")
        await running.suspend("one", "")
        await reached(running, "Suspended")
        await running.resume("one", "")
        await until(lambda: calls == 2)
        with pytest.raises(WrongState, match=r"Cannot suspend .* the Suspended state"):
            await running.suspend("one", "again")
        played.set()
        await reached(running, "Running")


@pytest.mark.parametrize("terminated", [True, False])
async def test_a_call_that_nobody_waits_for_is_given_up(tmp_path: Path, terminated: bool) -> None:
    async def never() -> Answer:
        await asyncio.Event().wait()
        return answered()

    app = Script(never)
    async with engine(tmp_path, app) as running:
        await running.start(Start(name="o", id="one"))
        await until(lambda: app.under_way == 1)
        if terminated:
            await running.terminate("one", "enough")
            await reached(running, "Terminated")
            await until(lambda: app.under_way == 0)
    await until(lambda: app.under_way == 0)
