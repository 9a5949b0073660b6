"""An app whose only purpose is to have everything that the host must run."""

import json
import os
import socket
import time
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path
from typing import Any

import azure.durable_functions as df
import azure.functions as func
from entity_functions import entities
from http_functions import http
from timer_functions import timers
from web_functions import web

# The SDK's own types say less than its objects can do.
Context = Any
Steps = Generator[Any, Any, Any]

app = df.DFApp(http_auth_level=func.AuthLevel.ANONYMOUS)
app.register_functions(entities)
app.register_functions(web)
app.register_functions(http)
app.register_functions(timers)
marks = Path(os.environ["MARKS"])
twice = df.RetryOptions(first_retry_interval_in_milliseconds=10, max_number_of_attempts=2)
soon = timedelta(milliseconds=50)


def count(name: str) -> int:
    with (marks / name).open("a") as file:
        file.write("x")
    return len((marks / name).read_text())


def answer(value: object, status: int = 200) -> func.HttpResponse:
    return func.HttpResponse(json.dumps(value), status_code=status, mimetype="application/json")


@app.route("start/{name}/{id?}", methods=["POST"])
@app.durable_client_input(client_name="client")
async def start(req: func.HttpRequest, client: df.DurableOrchestrationClient) -> func.HttpResponse:
    given = json.loads(req.get_body() or "null")
    try:
        new = await client.start_new(
            req.route_params["name"], req.route_params.get("id"), client_input=given
        )
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        return answer(str(error), 409)
    return client.create_check_status_response(req, new)


@app.route("raise/{id}/{event}", methods=["POST"])
@app.durable_client_input(client_name="client")
async def ring(req: func.HttpRequest, client: df.DurableOrchestrationClient) -> func.HttpResponse:
    params = req.route_params
    try:
        await client.raise_event(params["id"], params["event"], json.loads(req.get_body()))
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        return answer(str(error), 410)
    return answer("rung")


@app.route("client/{id}/{verb}", methods=["POST"])
@app.durable_client_input(client_name="client")
async def manage(req: func.HttpRequest, client: df.DurableOrchestrationClient) -> func.HttpResponse:
    verb, instance = req.route_params["verb"], req.route_params["id"]
    if verb == "status":
        status = await client.get_status(instance, show_input=True)
        return answer(status.to_json() if status else None)
    if verb == "purge":
        return answer((await client.purge_instance_history(instance)).instances_deleted)
    await getattr(client, verb)(instance, "because")
    return answer("done")


@app.route("things/{kind:alpha}/{*rest}", methods=["GET", "PUT"])
def things(req: func.HttpRequest, context: func.Context) -> func.HttpResponse:
    seen = {
        "method": req.method,
        "route": dict(req.route_params),
        "query": dict(req.params),
        "agent": req.headers.get("x-agent"),
        "principal": req.headers.get("x-ms-client-principal"),
        "body": req.get_body().decode(),
        "function": context.function_name,
    }
    response = answer(seen, 201)
    response.headers.add("Set-Cookie", "a=1; Path=/")
    response.headers.add("Set-Cookie", "b=2; HttpOnly")
    return response


@app.route("text")
def text(req: func.HttpRequest) -> str:
    return "plain"


@app.route("nothing")
def nothing(req: func.HttpRequest):
    return None


@app.route("broken")
def broken(req: func.HttpRequest) -> str:
    raise RuntimeError("secret detail")


@app.route("leave")
def leave(req: func.HttpRequest) -> str:
    os._exit(7)


@app.timer_trigger(schedule="%YEARLY%", arg_name="timer")
def yearly(timer: func.TimerRequest) -> None:
    count("yearly")


@app.activity_trigger(input_name="value")
def echo(value: object) -> object:
    return value


@app.activity_trigger(input_name="value")
async def echo_later(value: object) -> object:
    return value


@app.activity_trigger(input_name="name")
def fail(name: str) -> None:
    raise KeyError(name)


@app.activity_trigger(input_name="reason")
def refuse(reason: str) -> None:
    raise ValueError(reason)


@app.activity_trigger(input_name="name")
def fail_first(name: str) -> int:
    runs = count(name)
    if runs == 1:
        raise ValueError("not yet")
    return runs


@app.activity_trigger(input_name="name")
def block(name: str) -> int:
    runs = count(name)
    while not (marks / f"{name}.go").exists():
        time.sleep(0.02)
    return runs


@app.activity_trigger(input_name="port")
def hang_on(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.recv(1)


@app.activity_trigger(input_name="name")
def exit_first(name: str) -> int:
    if (runs := count(name)) == 1:
        os._exit(3)
    return runs


@app.activity_trigger(input_name="name")
def exit_always(name: str) -> None:
    count(name)
    os._exit(3)


@app.orchestration_trigger(context_name="context")
def chain(context: Context) -> Steps:
    one = yield context.call_activity("echo", context.get_input())
    two = yield context.call_activity("Echo_Later", [one])
    context.set_custom_status({"at": 2})
    return (yield context.call_activity("echo", {"was": two}))


@app.orchestration_trigger(context_name="context")
def fan_out(context: Context) -> Steps:
    tasks = [context.call_activity("echo", n) for n in range(context.get_input())]
    return sum((yield context.task_all(tasks)))


@app.orchestration_trigger(context_name="context")
def retried(context: Context) -> Steps:
    first = yield context.call_activity_with_retry("fail_first", twice, context.get_input())
    after = yield context.call_activity("echo", "after")
    return [first, after]


@app.orchestration_trigger(context_name="context")
def exhausted(context: Context) -> Steps:
    reason = ""
    try:
        yield context.call_activity_with_retry("fail", twice, "k")
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        reason = str(error).splitlines()[0].strip()
    return [reason, (yield context.call_activity("echo", "after"))]


@app.orchestration_trigger(context_name="context")
def unhandled(context: Context) -> Steps:
    yield context.call_activity("fail", "k")


@app.orchestration_trigger(context_name="context")
def missing(context: Context) -> Steps:
    calls = {
        "activity": lambda: context.call_activity("nobody"),
        "retried": lambda: context.call_activity_with_retry("nobody", twice),
        "orchestrator": lambda: context.call_sub_orchestrator("nobody"),
        "entity": lambda: context.call_entity(df.EntityId("nobody", "k"), "get"),
        "signal": lambda: context.signal_entity(df.EntityId("nobody", "k"), "get"),
        "itself": lambda: context.call_sub_orchestrator("chain", None, context.instance_id),
    }
    call = calls[context.get_input()]()
    bell = context.wait_for_external_event("go")
    yield context.task_any([bell] if call is None else [call, bell])
    return bell.result


@app.orchestration_trigger(context_name="context")
def child(context: Context) -> Steps:
    given = context.get_input()
    if (yield context.call_activity("fail_first", given)) == 3:
        raise RuntimeError("third time")
    return [context.instance_id, given]


@app.orchestration_trigger(context_name="context")
def parent(context: Context) -> Steps:
    own = f"{context.instance_id}-child"
    named = yield context.call_sub_orchestrator_with_retry("child", twice, f"{own}.1", own)
    again = yield context.call_sub_orchestrator_with_retry("child", twice, f"{own}.2", own)
    unnamed = yield context.call_sub_orchestrator("chain", 5)
    return [named, again, unnamed]


@app.orchestration_trigger(context_name="context")
def adopter(context: Context) -> Steps:
    return (yield context.call_sub_orchestrator("listener", None, context.get_input()))


@app.orchestration_trigger(context_name="context")
def listener(context: Context) -> Steps:
    return (yield context.wait_for_external_event("go"))


@app.orchestration_trigger(context_name="context")
def race(context: Context) -> Steps:
    bell = context.wait_for_external_event("go")
    timer = context.create_timer(
        context.current_utc_datetime + timedelta(milliseconds=context.get_input())
    )
    won = yield context.task_any([bell, timer])
    if won == bell:
        timer.cancel()
        return bell.result
    return "late"


@app.orchestration_trigger(context_name="context")
def two_waits(context: Context) -> Steps:
    yield context.call_activity("block", context.get_input())
    first = yield context.wait_for_external_event("go")
    second = yield context.wait_for_external_event("go")
    return [first, second]


@app.orchestration_trigger(context_name="context")
def patient(context: Context) -> Steps:
    bell = context.wait_for_external_event("go")
    for number in range(100):
        timer = context.create_timer(context.current_utc_datetime + soon)
        if (yield context.task_any([bell, timer])) == bell:
            timer.cancel()
            return [number > 0, bell.result]


@app.orchestration_trigger(context_name="context")
def generations(context: Context) -> Steps:
    left = context.get_input()
    context.set_custom_status(f"{left} left")
    yield context.create_timer(context.current_utc_datetime)
    if left:
        context.continue_as_new(left - 1)
        return None
    return (yield context.wait_for_external_event("go"))


@app.orchestration_trigger(context_name="context")
def spinner(context: Context) -> Steps:
    while True:
        pass


@app.orchestration_trigger(context_name="context")
def one_activity(context: Context) -> Steps:
    name, given = context.get_input()
    return (yield context.call_activity(name, given))


@app.orchestration_trigger(context_name="context")
def long_wait(context: Context) -> Steps:
    yield context.create_timer(
        context.current_utc_datetime + timedelta(milliseconds=context.get_input())
    )
    return "woken"


@app.orchestration_trigger(context_name="context")
def big_status(context: Context) -> Steps:
    # With its quotation marks, in two bytes for each letter.
    context.set_custom_status("x" * (context.get_input() // 2 - 2))
    return (yield context.call_activity("echo", 1))


@app.orchestration_trigger(context_name="context")
def versioned(context: Context) -> Steps:
    versions = [context.version]
    if context.get_input():
        for version in (None, "", "2"):
            child = context.call_sub_orchestrator("versioned", False, version=version)
            versions += yield child
    return versions


@app.activity_trigger(input_name="name")
def works_once_mended(name: str) -> int:
    runs = count(name)
    if not (marks / f"{name}.go").exists():
        raise RuntimeError("broken")
    return runs


@app.orchestration_trigger(context_name="context")
def mendable(context: Context) -> Steps:
    name = context.get_input()
    before = yield context.call_activity("fail_first", f"{name}-before")
    return [before, (yield context.call_activity("works_once_mended", name))]


@app.orchestration_trigger(context_name="context")
def broken_twice(context: Context) -> Steps:
    names = [f"{context.get_input()}-{number}" for number in (1, 2)]
    return (yield context.task_all([context.call_activity("works_once_mended", n) for n in names]))


@app.orchestration_trigger(context_name="context")
def retrying(context: Context) -> Steps:
    return (yield context.call_activity_with_retry("works_once_mended", twice, context.get_input()))


@app.orchestration_trigger(context_name="context")
def handling(context: Context) -> Steps:
    try:
        yield context.call_activity("fail", "k")
    except Exception:  # noqa: BLE001 - the SDK raises nothing more specific
        yield context.call_activity("echo", "handled")
    return (yield context.call_activity("works_once_mended", context.get_input()))


@app.orchestration_trigger(context_name="context")
def family(context: Context) -> Steps:
    name = context.get_input()
    beside = yield context.call_activity("echo", "beside")
    child = yield context.call_sub_orchestrator("mendable", name, f"{name}-child")
    return [beside, child]


@app.orchestration_trigger(context_name="context")
def stubborn(context: Context) -> Steps:
    yield context.call_activity("echo", 1)
    if not (marks / f"{context.get_input()}.go").exists():
        raise RuntimeError("not yet")
    return "at last"


@app.orchestration_trigger(context_name="context")
def nested(context: Context) -> Steps:
    given = context.get_input()
    tasks = [context.call_sub_orchestrator("chain", [given, n]) for n in range(2)]
    return (yield context.task_all(tasks))
