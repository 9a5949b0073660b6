"""All that isn't a coroutine function shares one pool of threads, as in the Functions worker."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from .conftest import RunningHost

APP = Path(__file__).parent / "threads"
KINDS = ("request", "orchestration", "activity", "entity")
THREADS = 5


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    with host_with(tmp_path_factory.mktemp("threads"), str(THREADS)) as host:
        yield host


@contextmanager
def host_with(folder: Path, threads: str, *options: str) -> Iterator[RunningHost]:
    settings = {"PYTHON_THREADPOOL_THREAD_COUNT": threads}
    host = RunningHost(folder, *options, app=APP, settings=settings)
    host.start()
    try:
        yield host
    finally:
        host.stop()


@pytest.fixture
def people() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as people:
        yield people


class Holders:
    """Begins functions that hold a thread until they are released."""

    def __init__(self, host: RunningHost, people: ThreadPoolExecutor) -> None:
        self._host = host
        self._people = people
        self.requests: list[Future[int]] = []

    def begin(self, kind: str, name: str) -> None:
        if kind == "request":
            self.requests.append(self._people.submit(self._post, f"/request/{name}"))
        elif kind == "entity":
            assert self._post(f"/durabletask/entities/keeper/{name}?op=hold") == 202
        else:
            assert self._post(f"/durabletask/orchestrators/{kind}/{name}") == 202

    def begun(self, name: str) -> bool:
        return (self._host.marks / name).exists()

    def _post(self, path: str) -> int:
        return self._host.http.post(path, timeout=120).status_code


@pytest.mark.parametrize("kind", KINDS)
def test_as_many_as_there_are_threads_hold_up_all_that_needs_one_and_no_coroutine(
    host: RunningHost, people: ThreadPoolExecutor, kind: str
) -> None:
    holders = Holders(host, people)
    on_the_loop = f"loop-{kind}"
    holders.begin("activity_on_the_loop", on_the_loop)
    host.until(lambda: holders.begun(on_the_loop))
    held = [f"{kind}-{number}" for number in range(THREADS)]
    for name in held:
        holders.begin(kind, name)
    host.until(lambda: all(map(holders.begun, held)))
    later = {other: f"after-{kind}-{other}" for other in KINDS}
    for other, name in later.items():
        host.release(name)
        holders.begin(other, name)

    for number in range(20):
        assert host.http.post(f"/loop/{number}").text == str(number)
    host.release(on_the_loop)
    host.until(lambda: holders.begun(f"{on_the_loop}.done"))
    assert not any(map(holders.begun, later.values()))

    host.release(held[0])
    host.until(lambda: all(map(holders.begun, later.values())))
    for name in held:
        host.release(name)
    assert {request.result() for request in holders.requests} == {200}


@pytest.mark.parametrize(
    ("setting", "threads"),
    [("3", 3), *((text, min(32, (os.cpu_count() or 1) + 4)) for text in ("", "many", "0"))],
)
def test_there_are_as_many_threads_as_the_setting_says(
    tmp_path: Path, setting: str, threads: int
) -> None:
    with host_with(tmp_path, setting) as host:
        given = json.dumps({"size": threads, "rounds": 4})
        host.http.post("/durabletask/orchestrators/meeting/all", json=given)
        status = host.ended("all")
        assert (status["runtimeStatus"], status["output"]) == ("Completed", threads)


def test_orchestrators_that_never_yield_hold_up_others_until_their_time_is_up(
    tmp_path: Path, people: ThreadPoolExecutor
) -> None:
    with host_with(tmp_path, str(THREADS), "--episode-seconds", "1") as host:
        holders = Holders(host, people)
        endless = [f"endless-{number}" for number in range(THREADS)]
        for name in endless:
            holders.begin("orchestration", name)
        host.until(lambda: all(map(holders.begun, endless)))
        holders.begin("orchestration", "after")
        host.release("after")
        assert host.http.get("/").status_code == 200
        assert host.status("after")["runtimeStatus"] in ("Pending", "Running")
        assert host.ended("after")["runtimeStatus"] == "Completed"
        for name in endless:
            assert "did not finish within 1 s" in host.ended(name)["output"]
