"""An app that does everything to its host that an app shouldn't."""

import os
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import azure.durable_functions as df
import azure.functions as func

Steps = Generator[Any, Any, Any]

app = df.DFApp(http_auth_level=func.AuthLevel.ANONYMOUS)
marks = Path(os.environ["MARKS"])


def mark(name: str) -> int:
    with (marks / name).open("a") as file:
        file.write("x")
    return len((marks / name).read_text())


def hoard() -> None:
    held = []
    while True:
        held.append(b"x" * 2**24)


@app.route("hello")
def hello(req: func.HttpRequest) -> str:
    return "hello"


@app.route("stuck")
def stuck(req: func.HttpRequest) -> str:
    threading.Event().wait()
    return "never"


@app.activity_trigger(input_name="name")
def neighbour(name: str) -> int:
    runs = mark(name)
    while not (marks / f"{name}.go").exists():
        time.sleep(0.02)
    return runs


@app.activity_trigger(input_name="name")
def blocks(name: str) -> None:
    mark(name)
    threading.Event().wait()


@app.activity_trigger(input_name="name")
def spins(name: str) -> None:
    mark(name)
    while True:
        pass


@app.activity_trigger(input_name="name")
def exits(name: str) -> None:
    mark(name)
    os._exit(3)


@app.activity_trigger(input_name="name")
def hoards(name: str) -> None:
    mark(name)
    hoard()


@app.orchestration_trigger(context_name="context")
def activity(context: df.DurableOrchestrationContext) -> Steps:
    name, given = context.get_input()  # type: ignore[misc]
    return (yield context.call_activity(name, given))


@app.orchestration_trigger(context_name="context")
def spinner(context: df.DurableOrchestrationContext) -> Steps:
    mark("spinning")
    while True:
        pass
    yield


@app.orchestration_trigger(context_name="context")
def hoarder(context: df.DurableOrchestrationContext) -> Steps:
    hoard()
    yield


@app.orchestration_trigger(context_name="context")
def deserter(context: df.DurableOrchestrationContext) -> Steps:
    os._exit(3)
    yield
