"""Look at operations: lists, one of them, its history, its report."""

from __future__ import annotations

import re

import azure.functions as func

from countersign.approvals.digest import sha256
from countersign.approvals.operation import Operation
from countersign.operations.summary import STATES
from countersign.roles import READERS
from countersign.stores.index import BadCursor
from countersign.wiring import services
from endpoints.exchange import answer, caller, query
from endpoints.lookup import operation_id_in, operation_of, refuse_outsider
from endpoints.problems import Problem, malformed, not_found
from endpoints.routes import route
from endpoints.views import event_view, operation_view, row_view

blueprint = func.Blueprint()


@route(blueprint, "operations", "GET")
async def list_operations(req: func.HttpRequest) -> func.HttpResponse:
    """The operations of the caller's tenant, newest first, a page at a time."""
    person = await caller(req, *READERS)
    state = query(req, "state")
    if state is not None and state not in STATES:
        raise malformed({"state": f"one of {', '.join(STATES)}"})
    try:
        page = await services().operations.index.page(
            person.tenant, state=state, limit=limit_in(req), cursor=query(req, "cursor")
        )
    except BadCursor as error:
        raise malformed({"cursor": "not one that this list gave out"}) from error
    rows = [row_view(row) for row in page.rows]
    return answer(200, {"operations": rows, "cursor": page.cursor})


@route(blueprint, "operations/{id}", "GET")
async def get_operation(req: func.HttpRequest) -> func.HttpResponse:
    """One operation as its ledger has it, and what is under way in it."""
    app, operation = services(), await _readable(req)
    under_way = await app.board.of(operation)
    return answer(200, operation_view(operation, app.clock(), under_way))


@route(blueprint, "operations/{id}/history", "GET")
async def get_history(req: func.HttpRequest) -> func.HttpResponse:
    """Every event of an operation, and whether the chain of their hashes is intact."""
    person = await caller(req)
    if person.roles.isdisjoint(READERS):
        # Everybody else gets to see the rows also where they make no sense as an operation.
        refuse_outsider(person, await operation_of(req, person))
    operation_id = operation_id_in(req)
    rows, broken = await services().operations.recorded(person.tenant, operation_id)
    if not rows:
        raise not_found()
    events = [event_view(row) for row in rows]
    chain = "intact" if broken is None else f"broken at {broken}"
    return answer(200, {"events": events, "chain": chain})


@route(blueprint, "operations/{id}/report", "GET")
async def get_report(req: func.HttpRequest) -> func.HttpResponse:
    """The published text, as it stands at its destination."""
    operation = await _readable(req)
    if operation.kind != "research":
        raise Problem(404, "no_report", "This is no research: it has a receipt, and no report.")
    if operation.receipt is None:
        raise Problem(404, "not_published", "Nothing has been published for this operation.")
    published = await services().reports.read(tenant=operation.tenant, operation_id=operation.id)
    if published is None:
        raise Problem(404, "report_missing", "It was published, and is gone from where it was.")
    if sha256(published) != operation.receipt.receipt.get("sha256"):
        raise Problem(409, "report_altered", "What stands there is not what was published.")
    return func.HttpResponse(
        published,
        mimetype="text/markdown",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
    )


async def _readable(request: func.HttpRequest) -> Operation:
    person = await caller(request)
    operation = await operation_of(request, person)
    refuse_outsider(person, operation)
    return operation


def limit_in(request: func.HttpRequest) -> int:
    """How many rows are asked for: 1 to 100, 20 if nothing is said.

    Raises:
        Problem: 422, it is something else.
    """
    text = query(request, "limit") or "20"
    if not re.fullmatch(r"[1-9][0-9]?|100", text):
        raise malformed({"limit": "a number from 1 to 100"})
    return int(text)
