"""A host whose app the Functions worker refuses ends; one with functions in error runs the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .conftest import RunningHost

BEGINNING = """
import typing
import azure.durable_functions as df
import azure.functions as func

app = df.DFApp(http_auth_level=func.AuthLevel.ANONYMOUS)

@app.route()
def well(req: func.HttpRequest) -> str:
    return "well"
"""
REFUSED = """
@app.activity_trigger(input_name="order")
def plan(order: typing.Optional[dict]): ...

@app.activity_trigger(input_name="order")
def write(order: dict, style="plain"): ...
"""
IN_ERROR = """
@app.route("well", methods=["GET"])
def xenial(req: func.HttpRequest) -> str:
    return "the other one"

@app.route("admin/all")
def everything(req: func.HttpRequest) -> str:
    return "never"

@app.timer_trigger(schedule="%NOWHERE%", arg_name="timer")
def tick(timer: func.TimerRequest) -> None: ...

@app.activity_trigger(input_name="two__names")
def hidden(two__names: dict): ...

@app.orchestration_trigger(context_name="context")
def calls(context):
    return (yield context.call_activity("hidden", {}))
"""
UNSUPPORTED = """
@app.queue_trigger(arg_name="message", queue_name="q", connection="c")
def take(message: func.QueueMessage): ...

@app.timer_trigger(schedule="0 0 1 1 *", arg_name="timer")
@app.blob_input(arg_name="page", path="p/q", connection="c")
@app.queue_output(arg_name="$return", queue_name="q", connection="c")
def put(timer: func.TimerRequest, page: str) -> str: ...
"""
UNFIT = """
import logging

@app.route()
def plain(req: str) -> str:
    return "never"

@app.timer_trigger(schedule="0 0 1 1 *", arg_name="timer")
def tells(timer: str):
    logging.warning("told %s", timer)
    return "too much"
"""
OTHER_VERSIONS = """
@app.activity_trigger(input_name="order")
def plan(order: typing.Dict[str, str], context: func.Context = None): ...
"""


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[[str], RunningHost]]:
    """Starts a host with an app of this source."""
    hosts: list[RunningHost] = []

    def start(source: str) -> RunningHost:
        app = tmp_path / "source"
        app.mkdir()
        (app / "host.json").write_text('{"version": "2.0"}')
        (app / "function_app.py").write_text(BEGINNING + source)
        data = tmp_path / "data"
        data.mkdir()
        hosts.append(RunningHost(data, app=app))
        hosts[-1].start()
        return hosts[-1]

    yield start
    for host in hosts:
        host.stop()


def test_an_app_that_the_worker_refuses_ends_the_host_with_its_words(
    started: Callable[[str], RunningHost],
) -> None:
    host = started(REFUSED)
    assert host.process.returncode == 1
    assert host.output == (
        "cannot load the plan function: binding order has invalid non-type annotation"
        " typing.Optional[dict]\n"
        "cannot load the write function: the following parameters are declared in Python but not"
        " in the function definition (function.json or function decorators): {'style'}\n"
        f"devhost: the app in {host.app} could not be started\n"
    )


def test_functions_in_error_are_told_and_the_others_run(
    started: Callable[[str], RunningHost],
) -> None:
    host = started(IN_ERROR)
    for error in (
        "'xenial' function is in error: The route specified conflicts with the route defined by"
        " function 'well'.",
        "'everything' function is in error: The specified route conflicts with one or more built"
        " in routes.",
        "'tick' function is in error: '%NOWHERE%' does not resolve to a value",
        "'hidden' function is in error: The binding name two__names is invalid.",
    ):
        assert f"The {error}" in host.output
    assert host.http.get("/api/well").text == "well"
    assert host.http.get("/api/admin/all").status_code == 404
    assert host.http.post("/admin/functions/tick", json={}).status_code == 404
    host.begin_deadly("calls", None)
    host.until(lambda: "The function 'hidden' doesn't exist, is disabled, or is" in host.output)


def test_triggers_and_bindings_that_the_host_does_not_have_are_told(
    started: Callable[[str], RunningHost],
) -> None:
    host = started(UNSUPPORTED)
    assert "take won't run: queueTrigger is not supported here" in host.output
    assert "put lacks its binding page: blob is not supported here" in host.output
    assert "put lacks its binding $return: queue is not supported here" in host.output
    assert host.http.get("/api/well").text == "well"


def test_what_loads_and_yet_does_not_fit_fails_when_it_is_called(
    started: Callable[[str], RunningHost],
) -> None:
    host = started(UNFIT)
    assert host.http.get("/api/plain").status_code == 500
    assert 'unexpected type of data received for the "generic" binding' in host.output
    host.http.post("/admin/functions/tells", json={})
    refused = "function 'tells' without a $return binding returned a non-None value"
    host.until(lambda: refused in host.output)
    assert 'told {"Schedule": ' in host.output


def test_what_the_worker_refuses_on_another_python_is_told(
    started: Callable[[str], RunningHost],
) -> None:
    host = started(OTHER_VERSIONS)
    if host.process.poll() is None:
        assert 'on Python 3.10: cannot load the plan function: the "context" par' in host.output
    else:
        # This is the other one.
        assert 'cannot load the plan function: the "context" par' in host.output
