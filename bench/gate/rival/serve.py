"""The same gate as a graph of LangGraph's, kept by its SQLite saver, behind HTTP with tokens.

It runs in an environment of its own: `serve.py PORT FILE`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import urllib.request
from typing import Any, TypedDict

import jwt
import uvicorn
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

_KEY = os.environ["BENCH_PUBLIC_KEY"]


class Gate(TypedDict, total=False):
    """What the graph keeps."""

    reference: str
    asked: dict[str, Any]
    order: dict[str, Any]
    decision: str
    number: str


def prepare(state: Gate) -> Gate:
    """Make the order up."""
    asked = state["asked"]
    total = sum(line["quantity"] * float(line["unit_price"]) for line in asked["lines"])
    return {"order": {**asked, "total": f"{total:.2f}"}}


def wait(_: Gate) -> Gate:
    """Wait for a person."""
    return {"decision": interrupt("waiting")["decision"]}


def place(state: Gate) -> Gate:
    """Place the order."""
    placed = {"reference": state["reference"], "order": state["order"]}
    request = urllib.request.Request(
        f"{os.environ['BENCH_SHOP']}/orders", json.dumps(placed).encode(), method="POST"
    )
    with urllib.request.urlopen(request) as answer:
        return {"number": json.load(answer)["order_number"]}


def graph(file: str) -> Any:
    """Return the graph, as the saver's documentation has it."""
    builder = StateGraph(Gate)
    for node in (prepare, wait, place):
        builder.add_node(node)
    builder.add_edge(START, "prepare")
    builder.add_edge("prepare", "wait")
    builder.add_conditional_edges(
        "wait", lambda state: "place" if state["decision"] == "approve" else END
    )
    builder.add_edge("place", END)
    saver = SqliteSaver(sqlite3.connect(file, check_same_thread=False))
    return builder.compile(checkpointer=saver)


def app(file: str) -> Starlette:
    """Return the graph behind HTTP."""
    gate = graph(file)

    def run(thread: str, given: Any) -> None:
        gate.invoke(given, {"configurable": {"thread_id": thread}})

    def person(request: Request) -> str:
        token = request.headers["authorization"].removeprefix("Bearer ")
        return jwt.decode(token, _KEY, algorithms=["RS256"], audience="urn:devhost:app")["name"]

    async def begin(request: Request) -> Response:
        thread = request.path_params["id"]
        asked = {**await request.json(), "requester": person(request)}
        await run_in_threadpool(run, thread, {"reference": thread, "asked": asked})
        return JSONResponse(thread, 202)

    async def decide(request: Request) -> Response:
        decision = {**await request.json(), "reviewer": person(request)}
        await run_in_threadpool(run, request.path_params["id"], Command(resume=decision))
        return Response(status_code=202)

    async def health(_: Request) -> Response:
        return Response()

    routes = [
        Route("/health", health),
        Route("/orders/{id}", begin, methods=["POST"]),
        Route("/orders/{id}/decision", decide, methods=["POST"]),
    ]
    return Starlette(routes=routes)


if __name__ == "__main__":
    uvicorn.run(app(sys.argv[2]), port=int(sys.argv[1]), log_level="warning", access_log=False)
