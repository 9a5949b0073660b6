"""Instances as they waited once, and what the orchestrators of today make of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from devhost.durable.history import Kind
from testbed.continuing import Code, check, every_way
from testbed.waiting import Waiting

FOLDER = Path(__file__).parent


def recorded() -> list[Waiting]:
    """Every point at which a recorded instance waited."""
    return [waiting for file in sorted(FOLDER.glob("*/*.jsonl")) for waiting in points(file)]


def points(file: Path) -> Iterator[Waiting]:
    """The ends of all turns of one recording but the last of an instance that has ended."""
    events = list(map(json.loads, file.read_text("utf-8").splitlines()))
    ended = any(each["EventType"] == Kind.ExecutionCompleted for each in events)
    # Behind the messages that continue-as-new begins with stands an end that is none of a turn.
    begun = [n for n, each in enumerate(events) if each["EventType"] == Kind.OrchestratorStarted]
    ends = [*begun[1:], len(events)]
    for turns, end in enumerate(ends[:-1] if ended else ends, 1):
        yield Waiting(
            version=file.parent.name,
            recording=file.stem,
            turns=turns,
            events=events[:end],
        )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "waiting" in metafunc.fixturenames:
        metafunc.parametrize("waiting", recorded(), ids=str)


@pytest.fixture(scope="session")
def all_waiting() -> list[Waiting]:
    """Every point at which a recorded instance waited."""
    return recorded()


@pytest.fixture(scope="session")
def keeps_waiting() -> Callable[[Waiting, Code], None]:
    """Checks that code has an instance wait for the same as before; raises an AssertionError."""
    return check


@pytest.fixture(scope="session")
def goes_on() -> Callable[[Waiting, Code], list[Any]]:
    """Carries an instance on in every way that it can be woken; returns its outputs."""
    return every_way
