"""HTTP functions that tell what they were sent, and answer what they are asked to."""

import json
import os
import time
from pathlib import Path
from typing import Any

import azure.functions as func

http = func.Blueprint()
marks = Path(os.environ["MARKS"])


@http.route("answer/{status:int}", methods=["GET", "POST"])
def answer_with(req: func.HttpRequest) -> func.HttpResponse:
    headers = dict(req.params)
    return func.HttpResponse("body", status_code=int(req.route_params["status"]), headers=headers)


@http.route("echo/{*rest}")
def echo_request(req: func.HttpRequest) -> func.HttpResponse:
    seen = {
        "method": req.method,
        "url": req.url,
        "route": dict(req.route_params),
        "query": dict(req.params),
        "headers": dict(req.headers),
        "body": req.get_body().decode(),
    }
    return func.HttpResponse(json.dumps(seen), mimetype="application/json")


@http.route("wait/{name}")
def wait_for_release(req: func.HttpRequest) -> str:
    name = req.route_params["name"]
    with (marks / name).open("a") as file:
        file.write("x")
    while not (marks / f"{name}.go").exists():
        time.sleep(0.02)
    return "released"


@http.route("environment")
def environment(req: func.HttpRequest) -> str:
    return json.dumps(dict(os.environ))


@http.route("context")
def own_context(req: func.HttpRequest, context: func.Context) -> str:
    trace: Any = context.trace_context
    retry = context.retry_context
    return json.dumps([trace.trace_parent, trace.Tracestate, trace.Attributes, retry.retry_count])
