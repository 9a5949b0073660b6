"""Models that don't answer hold up nobody but those who wait for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

THREADS = 5
"""What the Functions worker has on one core."""


@pytest.fixture
def stuck(
    new_host: Callable[..., Any],
    desk_at: Callable[..., Any],
    interview_at: Callable[..., Any],
    listener: Any,
    tmp_path: Path,
) -> Iterator[Any]:
    """A version that was written in time, at a host whose model has stopped answering since."""
    first = new_host(tmp_path / "data").start()
    interview = interview_at(desk_at(first))
    first.close()
    listener.speaks.clear()
    host = new_host(
        first.data,
        PYTHON_THREADPOOL_THREAD_COUNT=str(THREADS),
        COUNTERSIGN_MODEL_PROVIDER="compatible",
        COUNTERSIGN_MODEL="slow",
        COUNTERSIGN_MODEL_URL=f"http://127.0.0.1:{listener.server.server_port}/v1",
    )
    interview.host = host.start()
    interview.desk = desk_at(host)
    yield interview
    host.close()


def test_an_approval_is_published_while_more_models_hang_than_there_are_threads(
    stuck: Any, listener: Any
) -> None:
    desk, host = stuck.desk, stuck.host
    waiting = [desk.ask(f"Crash number {number}") for number in range(THREADS)]
    for number in range(THREADS):
        stuck.asked(token=desk.person(f"Reader {number}", "Report.Reviewer"))
    host.until(lambda: len(listener.posted) == 2 * THREADS, "every model is being asked")

    assert desk.decide(stuck.operation, stuck.proposal).status_code == 200
    desk.until_state(stuck.operation, "published")

    # No model has answered in the meantime.
    assert not listener.speaks.is_set()
    assert {desk.operation(each)["state"] for each in waiting} == {"running"}
