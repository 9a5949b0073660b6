"""The host follows the source of the app while somebody works on it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from .conftest import RunningHost

APP = """
import os, time
from pathlib import Path
import azure.durable_functions as df
import azure.functions as func
from words import WORD

app = df.DFApp(http_auth_level=func.AuthLevel.ANONYMOUS)
marks = Path(os.environ["MARKS"])

@app.route("word")
def word(req: func.HttpRequest) -> str:
    return WORD

@app.route("held")
def held(req: func.HttpRequest) -> str:
    return wait("held")

def wait(name: str) -> str:
    with (marks / name).open("a") as file:
        file.write("x")
    while not (marks / f"{name}.go").exists():
        time.sleep(0.02)
    return f"{WORD} after {len((marks / name).read_text())}"

app.activity_trigger(input_name="name")(wait)

@app.orchestration_trigger(context_name="context")
def waits(context):
    return (yield context.call_activity("wait", context.get_input()))

@app.orchestration_trigger(context_name="context")
def listens(context):
    return (yield context.wait_for_external_event("go"))
"""
TIMER = """
@app.timer_trigger(schedule="* * * * * *", arg_name="timer")
def ticks(timer: func.TimerRequest) -> None:
    (marks / "ticked").touch()
"""


def reloading(folder: Path) -> RunningHost:
    source = folder / "source"
    source.mkdir()
    (source / "host.json").write_text('{"version": "2.0"}')
    (source / "function_app.py").write_text(APP)
    (source / "words.py").write_text("WORD = 'first'")
    (folder / "data").mkdir()
    host = RunningHost(folder / "data", "--reload", app=source)
    host.start()
    return host


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    host = reloading(tmp_path_factory.mktemp("reload"))
    yield host
    host.stop()


@pytest.fixture(autouse=True)
def _as_it_was(host: RunningHost) -> Iterator[None]:
    """Undo what a test has done to the app."""
    yield
    (host.app / "function_app.py").write_text(APP)
    (host.app / "host.json").write_text('{"version": "2.0"}')
    say(host, "first")


def get(host: RunningHost, path: str) -> httpx.Response | None:
    """Ask for a path; None if the connection ended with the host that is replaced."""
    try:
        return host.http.get(path)
    except httpx.TransportError:
        return None


def answered(host: RunningHost, path: str, status: int) -> httpx.Response:
    def look() -> httpx.Response | None:
        answer = get(host, path)
        return answer if answer and answer.status_code == status else None

    return host.until(look)


def say(host: RunningHost, word: str) -> None:
    (host.app / "words.py").write_text(f"WORD = {word!r}")
    host.until(lambda: answered(host, "/api/word", 200).text == word)


def start(host: RunningHost, name: str, given: str = "") -> str:
    answer = host.http.post(f"/durabletask/orchestrators/{name}", json=json.dumps(given))
    return answer.json()["id"]


def test_a_changed_module_is_used_and_what_runs_still_ends_in_the_old_one(
    host: RunningHost,
) -> None:
    instance = start(host, "waits", "running")
    host.until(lambda: host.marked("running"))
    (host.app / "words.py").write_text("WORD = 'second'")
    host.until(lambda: "words.py changed; starting another worker process" in host.output)
    # The old worker has a few seconds for what it does.
    host.release("running")
    say(host, "second")
    assert host.ended(instance)["output"] == "first after 1"


def test_a_broken_app_shows_its_traceback_and_gets_503_until_it_is_mended(
    host: RunningHost,
) -> None:
    waiting = start(host, "listens")
    host.reached(waiting, "Running")
    (host.app / "words.py").write_text("WORD = no_such_name")
    answer = answered(host, "/api/word", 503)
    assert answer.text == "the app can't be loaded; the host's output says why\n"
    assert "NameError: name 'no_such_name' is not defined" in host.output
    assert host.output.count("NameError") == 1
    host.http.post(f"/durabletask/instances/{waiting}/raiseEvent/go", json="kept")
    say(host, "mended")
    assert host.ended(waiting)["output"] == "kept"


def test_new_functions_are_there_without_a_restart(host: RunningHost) -> None:
    (host.app / "function_app.py").write_text(APP + TIMER)
    host.until((host.marks / "ticked").exists)


def test_a_change_of_the_settings_starts_the_host_again(host: RunningHost) -> None:
    waiting = start(host, "listens")
    host.reached(waiting, "Running")
    other = {"version": "2.0", "extensions": {"http": {"routePrefix": "v2"}}}
    (host.app / "host.json").write_text(json.dumps(other))
    answered(host, "/v2/word", 200)
    assert host.http.get("/api/word").status_code == 404
    host.http.post(f"/durabletask/instances/{waiting}/raiseEvent/go", json="kept")
    assert host.ended(waiting)["output"] == "kept"


def test_a_change_of_the_settings_while_it_starts_again_is_not_missed(host: RunningHost) -> None:
    def prefixed(prefix: str) -> str:
        return json.dumps({"version": "2.0", "extensions": {"http": {"routePrefix": prefix}}})

    starts = host.output.count("starting again")
    (host.app / "host.json").write_text(prefixed("v2"))
    host.until(lambda: host.output.count("starting again") > starts)
    (host.app / "host.json").write_text(prefixed("v33"))
    answered(host, "/v33/word", 200)


def test_it_ends_also_when_it_is_asked_to_while_it_starts_again(tmp_path: Path) -> None:
    host = reloading(tmp_path)
    with ThreadPoolExecutor() as somebody:
        # What is being answered holds up the new start.
        somebody.submit(get, host, "/api/held")
        host.until(lambda: host.marked("held"))
        (host.app / "host.json").write_text('{"version":"2.0"}')
        host.until(lambda: "starting again" in host.output)
        host.stop()


def test_an_app_that_new_settings_break_is_waited_for(host: RunningHost) -> None:
    waiting = start(host, "listens")
    host.reached(waiting, "Running")
    (host.app / "words.py").write_text("WORD = no_such_name")
    (host.app / "host.json").write_text('{"version":"2.0"}')
    answered(host, "/api/word", 503)
    host.until(lambda: "host.json, words.py changed; starting again" in host.output)
    host.until(lambda: answered(host, "/devhost/overview", 200).json()["broken"])
    host.http.post(f"/durabletask/instances/{waiting}/raiseEvent/go", json="kept")
    assert host.status(waiting)["runtimeStatus"] == "Running"
    say(host, "mended")
    assert host.ended(waiting)["output"] == "kept"


def test_settings_that_cannot_be_read_change_nothing(host: RunningHost) -> None:
    (host.app / "host.json").write_text("{")
    host.until(lambda: "host.json is not JSON" in host.output)
    assert "; the settings stay as they were" in host.output
    assert host.http.get("/api/word").text == "first"


def test_a_function_in_error_leaves_the_rest_running(host: RunningHost) -> None:
    broken = TIMER.replace("* * * * * *", "often")
    (host.app / "function_app.py").write_text(APP + broken)
    error = "The 'ticks' function is in error: The schedule expression 'often' was not recognized"
    host.until(lambda: error in host.output)
    say(host, "still there")


def test_a_function_that_the_worker_refuses_takes_all_away_until_it_is_mended(
    host: RunningHost,
) -> None:
    refused = TIMER.replace("func.TimerRequest", "dict | None")
    (host.app / "function_app.py").write_text(APP + refused)
    answered(host, "/api/word", 503)
    assert (
        "cannot load the ticks function: binding timer has invalid non-type annotation dict | None"
        in host.output
    )
    (host.app / "function_app.py").write_text(APP)
    answered(host, "/api/word", 200)
