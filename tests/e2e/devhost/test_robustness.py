from __future__ import annotations

import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from .conftest import ROOT, RunningHost

if TYPE_CHECKING:
    from pathlib import Path


def test_what_waits_goes_on_after_a_kill(own_host: RunningHost) -> None:
    host = own_host
    listener = host.begin("listener")
    timer = host.begin("long_wait", 1500)
    activity = host.begin("one_activity", ["block", "survivor"])
    held = host.begin("listener")
    late = host.begin("race", 300)
    host.until(lambda: host.marked("survivor") == 1)
    for instance in (listener, timer, late):
        host.reached(instance, "Running")
    host.http.post(f"/api/client/{held}/suspend")
    host.reached(held, "Suspended")
    host.ring(held, "before")
    host.kill()
    host.release("survivor")
    host.start()
    assert host.ended(activity)["output"] == 2
    assert host.ended(late)["output"] == "late"
    host.ring(listener, "after")
    assert host.ended(listener)["output"] == '"after"'
    host.http.post(f"/api/client/{held}/resume")
    assert host.ended(held)["output"] == '"before"'
    assert host.ended(timer)["output"] == "woken"


def test_nothing_fails_because_the_host_is_told_to_end(own_host: RunningHost) -> None:
    host = own_host
    # More than run at a time, so that some are still on their way to the worker.
    names = [f"stopped-{number}" for number in range(15)]
    working = [host.begin("one_activity", ["block", name]) for name in names]
    turning = [host.begin("fan_out", 20) for _ in range(5)]
    host.until(lambda: any(map(host.marked, names)))
    assert host.stop() == 0
    for name in names:
        host.release(name)
    host.start()
    assert [host.ended(one)["output"] for one in turning] == [190] * 5
    # How often one ran says whether it was under way; all have ended well.
    outputs = [host.ended(one)["output"] for one in working]
    assert outputs == [host.marked(name) for name in names]
    assert "Failed" not in host.output


def test_an_answered_event_survives_a_kill(own_host: RunningHost) -> None:
    host = own_host
    waiting = [host.begin("listener") for _ in range(20)]
    for number, instance in enumerate(waiting):
        host.ring(instance, number)
    host.kill()
    host.start()
    assert [host.ended(one)["output"] for one in waiting] == [str(n) for n in range(20)]


def test_the_worker_ends_with_the_host(own_host: RunningHost) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        own_host.begin("one_activity", ["hang_on", server.getsockname()[1]])
        line, _ = server.accept()
    with line:
        line.settimeout(20)
        own_host.kill()
        assert line.recv(1) == b""


def test_an_activity_runs_again_when_its_worker_dies(host: RunningHost) -> None:
    instance = host.begin_deadly("one_activity", ["exit_first", "dies-once"])
    assert host.ended(instance)["output"] == 2


def test_an_activity_that_always_kills_its_worker_fails(host: RunningHost) -> None:
    beside = host.begin("one_activity", ["block", "neighbour"])
    host.until(lambda: host.marked("neighbour"))
    deadly = host.ended(host.begin_deadly("one_activity", ["exit_always", "deadly"]))
    assert host.marked("deadly") == 3
    assert "the worker process died during the call" in deadly["output"]
    host.release("neighbour")
    assert host.ended(beside)["runtimeStatus"] == "Completed"


def test_a_request_whose_worker_dies_gets_500_and_the_next_one_its_answer(
    host: RunningHost,
) -> None:
    assert host.http.get("/api/leave").status_code == 500
    assert host.http.get("/api/text").status_code == 200


def test_an_app_that_breaks_while_it_runs_leaves_the_host_running(own_host: RunningHost) -> None:
    code = own_host.app / "function_app.py"
    whole = code.read_text()
    waiting = own_host.begin("listener")
    code.write_text("this is no Python")
    own_host.http.get("/api/leave")
    own_host.until(lambda: "could not be started; trying again" in own_host.output)
    own_host.http.post(f"/durabletask/instances/{waiting}/raiseEvent/go", json="kept")
    assert own_host.status(waiting)["output"] is None
    code.write_text(whole)
    assert own_host.ended(waiting)["output"] == "kept"


def test_a_second_host_on_the_same_folder_is_refused(host: RunningHost) -> None:
    second = _devhost("start", "--app", str(host.app), "--data", str(host.folder), "--port", "0")
    assert second.returncode == 2
    assert "another devhost uses the data folder" in second.stderr


def test_a_taken_port_is_told_in_a_sentence(host: RunningHost, tmp_path: Path) -> None:
    port = host.url.rpartition(":")[2]
    second = _devhost("start", "--app", str(host.app), "--data", str(tmp_path), "--port", port)
    assert second.returncode == 2
    assert second.stderr == (
        f"devhost: port {port} is taken; choose another with --port, or 0 for a free one\n"
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--python", "/nowhere/python"], "--python /nowhere/python is no program"),
        (["--port", "70000"], "70000 is no port"),
        # A file is in the way
        (["--data", __file__], "the data folder can't be made"),
    ],
)
def test_a_mistake_on_the_command_line_is_told_in_a_sentence(
    tmp_path: Path, options: list[str], told: str
) -> None:
    (tmp_path / "function_app.py").touch()
    (tmp_path / "host.json").write_text('{"version": "2.0"}')
    mistaken = _devhost("start", "--app", str(tmp_path), "--data", str(tmp_path), *options)
    assert mistaken.returncode == 2
    assert mistaken.stderr.startswith(f"devhost: {told}")
    assert mistaken.stderr.count("\n") == 1


def test_only_loopback_addresses_are_listened_on(host: RunningHost, tmp_path: Path) -> None:
    wanted = ["--app", str(host.app), "--data", str(tmp_path), "--host", "192.0.2.1"]
    second = _devhost("start", *wanted)
    assert second.returncode == 2
    assert "loopback" in second.stderr


def test_an_app_that_fails_to_import_shows_its_own_error(tmp_path: Path) -> None:
    app = tmp_path / "app"
    app.mkdir()
    (app / "function_app.py").write_text("import nowhere_to_be_found\n")
    (app / "host.json").write_text('{"version": "2.0"}')
    broken = _devhost("start", "--app", str(app), "--data", str(tmp_path), "--port", "0")
    assert broken.returncode == 1
    assert "ModuleNotFoundError: No module named 'nowhere_to_be_found'\n" in broken.stderr
    assert broken.stderr.endswith(f"devhost: the app in {app} could not be started\n")
    assert broken.stderr.count("Traceback") == 1


def test_the_host_stops_when_it_is_asked_to(own_host: RunningHost) -> None:
    own_host.begin("one_activity", ["block", "never"])
    own_host.until(lambda: own_host.marked("never"))
    assert own_host.stop() == 0
    assert "Traceback" not in own_host.output


def test_a_token_can_be_had_on_the_command_line(tmp_path: Path) -> None:
    made = _devhost("token", "--data", str(tmp_path), "--as", "Ada", "--role", "Auditor")
    assert made.returncode == 0
    assert made.stdout.count(".") == 2


def _devhost(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "devhost", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False
    )
