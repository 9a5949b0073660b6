"""Operations on the embedded stores, with a clock that a test moves."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from countersign.approvals.events import OperationStarted
from countersign.approvals.person import Actor, Person
from countersign.approvals.policy import Policy
from countersign.operations.repository import Operations
from countersign.stores.memory import MemoryArtifacts, MemoryLedger
from countersign.stores.memory_index import MemoryIndex


class MovableClock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def artifacts() -> MemoryArtifacts:
    return MemoryArtifacts()


@pytest.fixture
def operations(clock: MovableClock) -> Operations:
    return Operations(MemoryLedger(), MemoryIndex(), clock)


@pytest.fixture
def reviewer() -> Person:
    return Person(id="victor", name="Victor", tenant="home", roles=frozenset({"Reviewer"}))


@pytest.fixture
def started(clock: MovableClock) -> OperationStarted:
    return OperationStarted(
        at=clock(),
        actor=Actor(id="rita", name="Rita"),
        kind="research",
        title="A topic",
        request="0" * 64,
        policy=Policy(reviewer_role="Reviewer", window_seconds=60),
    )
