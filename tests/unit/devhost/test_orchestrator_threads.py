from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from devhost.orchestrator_threads import OrchestratorThreads

PATIENCE = 10.0


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What held jobs wait for; it opens when the test ends."""
    gate = threading.Event()
    yield gate
    gate.set()


def test_jobs_that_get_done_share_a_thread() -> None:
    threads = OrchestratorThreads()
    ran_on: list[int] = []
    over = threading.Event()
    for _ in range(100):
        threads.submit(lambda: ran_on.append(threading.get_ident()))
    threads.submit(over.set)
    assert over.wait(PATIENCE)
    assert len(ran_on) == 100
    assert len(set(ran_on)) == 1


def test_jobs_that_block_hold_up_no_others(gate: threading.Event) -> None:
    threads = OrchestratorThreads()
    for _ in range(3):
        threads.submit(gate.wait)
    for _ in range(3):
        done = threading.Event()
        threads.submit(done.set)
        assert done.wait(PATIENCE)


def test_a_job_that_comes_later_is_not_held_up_either(gate: threading.Event) -> None:
    threads = OrchestratorThreads()
    held = threading.Event()

    def hold() -> None:
        held.set()
        gate.wait()

    threads.submit(hold)
    assert held.wait(PATIENCE)
    done = threading.Event()
    threads.submit(done.set)
    assert done.wait(PATIENCE)
