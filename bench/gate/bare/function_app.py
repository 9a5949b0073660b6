"""The gate alone: an order is made up, waits for a person, and is placed. No record is kept."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Generator
from typing import Any

import azure.durable_functions as df
import azure.functions as func
import jwt

app = df.DFApp(http_auth_level=func.AuthLevel.ANONYMOUS)

_KEY = os.environ.get("BENCH_PUBLIC_KEY", "")


def _person(request: func.HttpRequest) -> str:
    token = request.headers["Authorization"].removeprefix("Bearer ")
    return jwt.decode(token, _KEY, algorithms=["RS256"], audience="urn:devhost:app")["name"]


@app.route(route="orders/{id}", methods=["POST"])
@app.durable_client_input(client_name="client")
async def begin(req: func.HttpRequest, client: df.DurableOrchestrationClient) -> func.HttpResponse:
    """Begin an order."""
    asked = {**req.get_json(), "requester": _person(req)}
    order = await client.start_new("gate", req.route_params["id"], asked)
    return func.HttpResponse(json.dumps(order), status_code=202)


@app.route(route="orders/{id}/decision", methods=["POST"])
@app.durable_client_input(client_name="client")
async def decide(req: func.HttpRequest, client: df.DurableOrchestrationClient) -> func.HttpResponse:
    """Pass a decision on."""
    decision = {**req.get_json(), "reviewer": _person(req)}
    await client.raise_event(req.route_params["id"], "decision", decision)
    return func.HttpResponse(status_code=202)


@app.orchestration_trigger(context_name="context")
def gate(context: df.DurableOrchestrationContext) -> Generator[Any, Any, Any]:
    """Prepare, wait, place."""
    order = yield context.call_activity("prepare", context.get_input())
    context.set_custom_status("waiting")
    decision = yield context.wait_for_external_event("decision")
    if json.loads(decision)["decision"] == "approve":
        yield context.call_activity("place", {"reference": context.instance_id, "order": order})


@app.activity_trigger(input_name="asked")
def prepare(asked: dict) -> dict:
    """Make the order up."""
    total = sum(line["quantity"] * float(line["unit_price"]) for line in asked["lines"])
    return {**asked, "total": f"{total:.2f}"}


@app.activity_trigger(input_name="placed")
def place(placed: dict) -> str:
    """Place the order."""
    request = urllib.request.Request(
        f"{os.environ['BENCH_SHOP']}/orders", json.dumps(placed).encode(), method="POST"
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["order_number"]
