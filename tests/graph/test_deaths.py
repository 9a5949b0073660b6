"""Killed at every superstep, a graph goes on: nothing is lost, paid twice or published twice."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

MORTAL = str(Path(__file__).with_name("mortal.py"))
STEPS = 6
"""Before a version is offered: plan, dispatch, research, aggregate, check, draft."""

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL"),
    pytest.mark.timeout(400),
]


class Life:
    """An operation that is carried by processes which die."""

    MOST_DEATHS = 30

    def __init__(self, home: Any, processes: subprocess.Popen[str]) -> None:
        self.home, self._processes = home, processes
        operation = asyncio.run(home.engine().start(home.rita, home.research()))
        self.operation_id = operation.id

    def live(self, event: str = "superstep_completed", supersteps: int = 99) -> Any:
        """One process; returns where it came to rest, None if it died."""
        assert self._processes.stdin
        assert self._processes.stdout
        self._processes.stdin.write(f"{self.operation_id} {event} {supersteps}\n")
        self._processes.stdin.flush()
        return json.loads(self._processes.stdout.readline())

    def die_often(self, event: str, supersteps: int) -> tuple[dict[str, Any], int]:
        """Process after process, each dying at that event, until one comes to rest."""
        for deaths in range(self.MOST_DEATHS):
            if rest := self.live(event, supersteps):
                return rest, deaths
        raise AssertionError(f"not at rest after {self.MOST_DEATHS} deaths")

    def history(self) -> list[tuple[str, dict[str, Any]]]:
        return asyncio.run(self.home.history(self.operation_id))

    def done(self) -> set[str]:
        """The steps whose results are in the ledger."""
        return {data["step"] for name, data in self.history() if name == "WorkDone"}

    def approve(self) -> None:
        rest = asyncio.run(self.home.engine().question(self.home.tenant, self.operation_id))
        asyncio.run(self.home.decide(rest))


@pytest.fixture
def begin_life(home: Any) -> Iterator[Callable[[], Life]]:
    """Begins an operation, and what starts the processes that carry it."""
    with subprocess.Popen(
        [sys.executable, MORTAL],
        cwd=home.data,
        env=home.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as processes:
        yield lambda: Life(home, processes)


@pytest.mark.parametrize(
    ("event", "supersteps"),
    [
        ("superstep_completed", 0),  # right after each checkpoint
        ("executor_completed", 1),  # after a step's effect, before its checkpoint
    ],
)
def test_killed_at_every_superstep_it_is_published_once_and_paid_once(
    begin_life: Callable[[], Life], home: Any, event: str, supersteps: int
) -> None:
    life = begin_life()
    rest, deaths = life.die_often(event, supersteps)
    assert deaths >= STEPS
    assert rest["request_id"] == f"{life.operation_id}-v1"
    life.approve()
    last, more = life.die_often(event, supersteps)
    assert last["outcome"] == "published"
    assert more >= 1
    assert [file.stem for file in home.reports()] == [life.operation_id]
    names = [name for name, _ in life.history()]
    for once in ("WorkPlanned", "ProposalOpened", "WriteClaimed", "ReceiptRecorded"):
        assert names.count(once) == 1, once
    assert_never_paid_after_it_was_stored(life.history())


def test_killed_before_the_answer_the_same_question_waits_in_a_new_process(
    begin_life: Callable[[], Life], home: Any
) -> None:
    life = begin_life()
    assert life.live("superstep_completed", 4) is None
    assert "check:0" in life.done()
    assert "draft:1" not in life.done()
    first = life.live()
    assert first
    assert first["request_id"] == f"{life.operation_id}-v1"
    again = life.live()
    assert again == first
    life.approve()
    assert life.live() == {"request_id": None, "question": None, "outcome": "published"}
    assert life.live() == {"request_id": None, "question": None, "outcome": "published"}
    assert [file.stem for file in home.reports()] == [life.operation_id]


def assert_never_paid_after_it_was_stored(history: list[tuple[str, dict[str, Any]]]) -> None:
    stored: set[str] = set()
    for name, data in history:
        assert not (name == "ModelCalled" and data["step"] in stored), data["step"]
        if name == "WorkDone":
            stored.add(data["step"])
    assert len(stored) >= 3
