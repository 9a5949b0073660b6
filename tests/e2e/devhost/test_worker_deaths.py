"""Worker processes are killed at the worst moments, and the host goes on by itself."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .conftest import RunningHost

APP = """
import os, time
from pathlib import Path
import azure.durable_functions as df
import azure.functions as func

marks = Path(os.environ["MARKS"])
(marks / f"importing-{os.getpid()}").touch()
while (marks / "hold").exists():
    time.sleep(0.02)

app = df.DFApp(http_auth_level=func.AuthLevel.ANONYMOUS)

@app.route("which")
def which(req: func.HttpRequest) -> str:
    return str(os.getpid())

@app.activity_trigger(input_name="name")
def wait(name: str) -> str:
    (marks / name).touch()
    while not (marks / f"{name}.go").exists():
        time.sleep(0.02)
    return "done"

@app.orchestration_trigger(context_name="context")
def waits(context):
    return (yield context.call_activity("wait", context.get_input()))
"""
NEW_HOST = Callable[[str], RunningHost]
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


@pytest.fixture
def new_host(tmp_path: Path) -> Iterator[NEW_HOST]:
    hosts: list[RunningHost] = []

    def make(option: str) -> RunningHost:
        source = tmp_path / "source"
        source.mkdir()
        (source / "host.json").write_text('{"version": "2.0"}')
        (source / "function_app.py").write_text(APP)
        (tmp_path / "data").mkdir()
        hosts.append(RunningHost(tmp_path / "data", option, app=source))
        return hosts[-1]

    yield make
    for host in hosts:
        if host.process.poll() is None:
            host.stop()


@pytest.fixture(params=["--reload", "--no-reload"])
def host(request: pytest.FixtureRequest, new_host: NEW_HOST) -> RunningHost:
    host = new_host(request.param)
    host.start()
    return host


@pytest.fixture
def reloading(new_host: NEW_HOST) -> RunningHost:
    host = new_host("--reload")
    host.start()
    return host


def imported_by(host: RunningHost) -> set[int]:
    """The ids of the workers that have begun to import the app."""
    return {int(mark.name.partition("-")[2]) for mark in host.marks.glob("importing-*")}


def kill(pid: int) -> None:
    os.kill(pid, KILL)


def hold(host: RunningHost) -> set[int]:
    """Let no further worker come to the end of its import; returns those until now."""
    (host.marks / "hold").touch()
    return imported_by(host)


def let_go(host: RunningHost) -> None:
    (host.marks / "hold").unlink()


def next_worker(host: RunningHost, before: set[int]) -> int:
    return host.until(lambda: imported_by(host) - before).pop()


def answers(host: RunningHost) -> int:
    answer = host.http.get("/api/which", timeout=60)
    assert answer.status_code == 200, host.output
    return int(answer.text)


def test_one_that_is_killed_while_it_imports_is_replaced(host: RunningHost) -> None:
    instance = json.loads(
        host.http.post("/durabletask/orchestrators/waits", json='"in-hand"').text
    )["id"]
    host.until(lambda: host.marked("in-hand") or (host.marks / "in-hand").exists())
    before = hold(host)
    kill(answers(host))
    second = next_worker(host, before)
    kill(second)
    let_go(host)
    assert answers(host) not in {*before, second}
    host.release("in-hand")
    assert host.ended(instance)["output"] == "done"


def test_a_request_meanwhile_waits_for_the_one_after(host: RunningHost) -> None:
    before = hold(host)
    first = answers(host)
    kill(first)
    for _ in range(3):
        worker = next_worker(host, before)
        before |= {worker}
        kill(worker)
    let_go(host)
    assert answers(host) not in before


def test_one_that_is_killed_while_it_imports_changed_source_is_replaced(
    reloading: RunningHost,
) -> None:
    host = reloading
    before = hold(host)
    (host.app / "function_app.py").write_text(APP.replace("str(os.getpid())", "'changed'"))
    kill(next_worker(host, before))
    let_go(host)
    host.until(lambda: host.http.get("/api/which", timeout=60).text == "changed")


def test_one_that_is_killed_while_it_imports_under_new_settings_is_replaced(
    reloading: RunningHost,
) -> None:
    host = reloading
    before = hold(host)
    (host.app / "host.json").write_text('{"version":"2.0"}')
    kill(next_worker(host, before))
    let_go(host)
    host.until(lambda: "while it imported the app; trying again after 0" in host.output)
    host.until(lambda: answers(host) not in before)


def test_one_that_is_killed_after_the_app_was_broken_is_replaced(reloading: RunningHost) -> None:
    host = reloading
    (host.app / "function_app.py").write_text("raise RuntimeError('broken')")
    host.until(lambda: "trying again after a file of it changes" in host.output)
    before = hold(host)
    (host.app / "function_app.py").write_text(APP)
    tries = host.output.count("trying again after 0")
    kill(next_worker(host, before))
    let_go(host)
    host.until(lambda: host.output.count("trying again after 0") > tries)
    assert answers(host) not in before


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells when a process is there")
def test_one_that_is_killed_as_soon_as_it_is_there_is_replaced(host: RunningHost) -> None:
    killed: set[int] = set()
    for _ in range(10):
        worker = host.until(lambda: children_of(host.process.pid) - killed).pop()
        kill(worker)
        killed.add(worker)
    host.until(lambda: host.http.get("/api/which", timeout=60).status_code == 200)


def children_of(pid: int) -> set[int]:
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(child) for text in lists for child in text.read_text().split()}


def test_the_first_one_that_is_killed_while_it_imports_ends_the_host_with_a_sentence(
    new_host: NEW_HOST,
) -> None:
    host = new_host("--reload")
    (host.folder / "marks" / "hold").touch()
    with ThreadPoolExecutor(1) as starter:
        starting = starter.submit(host.start)
        kill(next_worker(host, set()))
        starting.result()
    assert host.process.wait(60) == 1
    assert "while it imported the app\n" in host.output
    assert "Traceback" not in host.output
