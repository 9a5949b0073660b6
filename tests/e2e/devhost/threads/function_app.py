"""Functions of each kind that hold a thread, and coroutine functions, which hold none."""

import asyncio
import os
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import azure.durable_functions as df
import azure.functions as func

# The SDK's own types say less than its objects can do.
Context = Any
Steps = Generator[Any, Any, Any]

app = df.DFApp(http_auth_level=func.AuthLevel.ANONYMOUS)
marks = Path(os.environ["MARKS"])


def hold(name: str) -> str:
    """Say that it has begun, and keep the thread until the test allows to go on."""
    (marks / name).touch()
    while not (marks / f"{name}.go").exists():
        time.sleep(0.02)
    return name


@app.route("request/{name}", methods=["POST"])
def request(req: func.HttpRequest) -> str:
    return hold(req.route_params["name"])


@app.activity_trigger(input_name="name")
def work(name: str) -> str:
    return hold(name)


@app.entity_trigger(context_name="context")
def keeper(context: df.DurableEntityContext) -> None:
    context.set_state(hold(context.entity_key))


@app.orchestration_trigger(context_name="context")
def orchestration(context: Context) -> Steps:
    return hold(context.instance_id)
    yield


@app.orchestration_trigger(context_name="context")
def activity(context: Context) -> Steps:
    return (yield context.call_activity("work", context.instance_id))


@app.route("loop/{name}", methods=["POST"])
async def request_on_the_loop(req: func.HttpRequest) -> str:
    return req.route_params["name"]


@app.activity_trigger(input_name="name")
async def work_on_the_loop(name: str) -> str:
    (marks / name).touch()
    while not (marks / f"{name}.go").exists():  # noqa: ASYNC110 - another process makes it
        await asyncio.sleep(0.02)
    (marks / f"{name}.done").touch()
    return name


@app.orchestration_trigger(context_name="context")
def activity_on_the_loop(context: Context) -> Steps:
    return (yield context.call_activity("work_on_the_loop", context.instance_id))


@app.orchestration_trigger(context_name="context")
def meeting(context: Context) -> Steps:
    given = context.get_input()
    size, rounds = given["size"], given["rounds"]
    calls = [context.call_activity("meet", size) for _ in range(size * rounds)]
    return max((yield context.task_all(calls)))


rooms: dict[int, threading.Barrier] = {}
opening = threading.Lock()
present = 0


@app.activity_trigger(input_name="size")
def meet(size: int) -> int:
    """Wait until as many run at once as `size` says; return how many there were then."""
    global present
    with opening:
        present += 1
        most = present
        room = rooms.setdefault(size, threading.Barrier(size, timeout=60))
    room.wait()
    with opening:
        present -= 1
    return most
