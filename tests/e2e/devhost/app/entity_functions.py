"""Entities, and whatever calls them."""

import json
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import azure.durable_functions as df
import azure.functions as func

# The SDK's own types say less than its objects can do.
Context = Any
Steps = Generator[Any, Any, Any]

entities = df.Blueprint()
marks = Path(os.environ["MARKS"])


@entities.route("signal/{name}/{key}/{op}", methods=["POST"])
@entities.durable_client_input(client_name="client")
async def signal(req: func.HttpRequest, client: df.DurableOrchestrationClient) -> str:
    params = req.route_params
    target = df.EntityId(params["name"], params["key"])
    await client.signal_entity(target, params["op"], json.loads(req.get_body() or "null"))
    return "signalled"


@entities.route("entity/{name}/{key}", methods=["GET"])
@entities.durable_client_input(client_name="client")
async def read(req: func.HttpRequest, client: df.DurableOrchestrationClient) -> str:
    target = df.EntityId(req.route_params["name"], req.route_params["key"])
    state = await client.read_entity_state(target)
    return json.dumps([state.entity_exists, state.entity_state])


@entities.entity_trigger(context_name="context", entity_name="Counter")
def count_something(context: df.DurableEntityContext) -> None:
    operation, total = context.operation_name, context.get_state(lambda: 0)
    if operation == "add":
        context.set_state(total + context.get_input())
    elif operation == "fail":
        context.set_state(total + 1)
        raise ValueError(f"refused at {total}")
    elif operation == "die":
        with (marks / context.entity_key).open("a") as file:
            file.write("x")
        os._exit(3)
    context.set_result(context.get_state())
    if operation == "delete":
        context.destruct_on_exit()


@entities.entity_trigger(context_name="context")
def diary(context: df.DurableEntityContext) -> None:
    """Keep what came, and tell if two operations ever run at once."""
    place = marks / f"{context.entity_key}.open"
    place.touch(exist_ok=False)
    if context.get_input() == "wait":
        while not (marks / f"{context.entity_key}.go").exists():
            time.sleep(0.02)
    context.set_state([*context.get_state(list), context.get_input()])
    place.unlink()


@entities.orchestration_trigger(context_name="context")
def tally(context: Context) -> Steps:
    counter = df.EntityId("Counter", context.get_input())
    context.signal_entity(counter, "add", 5)
    first = yield context.call_entity(counter, "add", 2)
    between = yield context.call_activity("echo", "between")
    both = yield context.task_all(
        [context.call_entity(counter, "add", 1), context.call_entity(counter, "get")]
    )
    return [first, between, both]


@entities.orchestration_trigger(context_name="context")
def one_operation(context: Context) -> Steps:
    name, key, operation = context.get_input()
    try:
        return (yield context.call_entity(df.EntityId(name, key), operation))
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        return f"failed: {error}"


@entities.orchestration_trigger(context_name="context")
def last_words(context: Context) -> Steps:
    yield context.call_activity("echo", 1)
    context.signal_entity(df.EntityId("diary", context.get_input()), "write", "last words")
    raise RuntimeError("the end")
