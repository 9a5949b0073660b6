"""The real app, which counts what it does, but for what is done to look at it."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import azure.durable_functions as df
import azure.functions as func

ROOT = Path(__file__).parents[3]
_CALLS = {
    "activityTrigger": "activities",
    "orchestrationTrigger": "turns of orchestrators",
    "entityTrigger": "turns of entities",
    "httpTrigger": "HTTP requests to the app",
}

_counts: Counter[str] = Counter()
_looking: ContextVar[bool] = ContextVar("looking", default=False)
_deciding: ContextVar[Queue | None] = ContextVar("deciding", default=None)


@dataclass
class Queue:
    """How many requests of one call had to wait for each other so far."""

    done: int = 0


def count(owner: Any, method: str, what: str) -> None:
    """Count the calls of a method, a coroutine's or not."""
    real = getattr(owner, method)

    @functools.wraps(real)
    def counted(*args: Any, **kwargs: Any) -> Any:
        if not _looking.get():
            _counts[what] += 1
        return real(*args, **kwargs)

    setattr(owner, method, counted)


def count_in_a_row(module: Any, what: str) -> None:
    """Count how many of a decision's requests go one after another, wherever it has most."""
    real = module.with_retries

    @functools.wraps(real)
    async def counted(*args: Any, **kwargs: Any) -> Any:
        if (queue := _deciding.get()) is None:
            return await real(*args, **kwargs)
        own = queue.done + 1
        answer = await real(*args, **kwargs)
        queue.done = max(queue.done, own)
        _counts[what] = max(_counts[what], queue.done)
        return answer

    module.with_retries = counted


def count_stores() -> None:
    """Count what is asked of the stores, and how often a disk is waited for."""
    from countersign.destinations import order_service

    count(order_service, "call", "calls of the purchasing system")
    if os.environ.get("COUNTERSIGN_STORAGE"):
        from azure.core.pipeline.transport import RequestsTransport

        from countersign.stores import blobs, tables

        count(RequestsTransport, "send", "storage requests")
        for store in (blobs, tables):
            count_in_a_row(store, "storage requests of a decision in a row")
        return
    from countersign.stores.sqlite import SqliteLedger
    from countersign.stores.sqlite_connections import Connections

    count(Connections, "write", "transactions of the database")
    count(SqliteLedger, "read", "reads of a ledger")
    count(os, "fsync", "syncs of files and folders")


def watched(function: Callable[..., Any], what: str, *, looks: bool) -> Callable[..., Any]:
    """Count the calls of a function, unless it only looks."""

    def begin() -> None:
        _looking.set(looks)
        _deciding.set(Queue() if function.__name__ == "decide_proposal" else None)
        if not looks:
            _counts[what] += 1

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        begin()
        return function(*args, **kwargs)

    @functools.wraps(function)
    async def call_on_the_loop(*args: Any, **kwargs: Any) -> Any:
        begin()
        return await function(*args, **kwargs)

    return call_on_the_loop if iscoroutinefunction(function) else call


count_stores()
for asked in ("start_new", "raise_event", "get_status"):
    count(df.DurableOrchestrationClient, asked, "HTTP requests to the durable runtime")

spec = importlib.util.spec_from_file_location("real_function_app", ROOT / "function_app.py")
if spec is None or spec.loader is None:
    raise ImportError("there is no app here")
real_app = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real_app)
app = real_app.app

for builder in app._function_builders:
    function = builder._function
    name, what = function.get_function_name(), _CALLS.get(function.get_trigger().type)
    if what:
        looks = name.startswith(("get_", "list_"))
        function._func = watched(function._func, what, looks=looks)


@app.route(route="counts", methods=["POST"], auth_level=func.AuthLevel.ANONYMOUS)
async def counts(req: func.HttpRequest) -> func.HttpResponse:
    """Return the counts since the last call."""
    counted = json.dumps(_counts)
    _counts.clear()
    return func.HttpResponse(counted, mimetype="application/json")
