"""Look at operations: lists, one of them, its history, its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.digest import sha256
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.kinds.registry import reading_roles
from countersign.kinds.report import REPORT
from countersign.services import Services
from endpoints.found import found
from endpoints.lookup import operation_id_in, operation_of, refuse_outsider
from endpoints.parameters import CURSOR, LIMIT
from endpoints.problems import Problem, not_found
from endpoints.routes import route
from endpoints.searches import OF_ALL, search_in

if TYPE_CHECKING:
    from endpoints.answers.history import History
    from endpoints.answers.operations import OperationPage, OperationView

blueprint = func.Blueprint()


@route(blueprint, "operations", "GET", roles=reading_roles(), parameters=[*OF_ALL, LIMIT, CURSOR])
async def list_operations(app: Services, req: func.HttpRequest, person: Person) -> OperationPage:
    """List the operations of the caller's tenant that match, in pages."""
    from endpoints.answers.operations import OperationPage

    search = search_in(req, person, parameters=OF_ALL, order="newest")
    return OperationPage.of(*await found(app, req, person, search))


@route(blueprint, "operations/{id}", "GET", problems=["not_authorised"])
async def get_operation(app: Services, req: func.HttpRequest, person: Person) -> OperationView:
    """Get one operation: its state in the ledger and its work in progress."""
    from endpoints.answers.operations import OperationView

    operation = await _readable(app, req, person)
    return OperationView.of(app, operation, person, await app.board.of(operation))


@route(blueprint, "operations/{id}/history", "GET", problems=["not_authorised"])
async def get_history(app: Services, req: func.HttpRequest, person: Person) -> History:
    """List every event of an operation, and say whether its hash chain is intact."""
    from endpoints.answers.history import History, RecordedEvent

    if person.roles.isdisjoint(reading_roles()):
        # Everybody else gets to see the rows also where they make no sense as an operation.
        await _readable(app, req, person)
    operation_id = operation_id_in(req)
    rows, broken = await app.operations.recorded(person.tenant, operation_id)
    if not rows:
        raise not_found("operation")
    chain = "intact" if broken is None else f"broken at {broken}"
    return History(events=[RecordedEvent.of(row) for row in rows], chain=chain)


@route(
    blueprint,
    "operations/{id}/report",
    "GET",
    problems=["not_authorised", "no_report", "not_published", "report_missing", "report_altered"],
    media="text/markdown",
)
async def get_report(app: Services, req: func.HttpRequest, person: Person) -> func.HttpResponse:
    """Get the published report from its destination."""
    operation = await _readable(app, req, person)
    if operation.kind != REPORT.name:
        raise Problem("no_report", "This is no research: it has a receipt, and no report.")
    if operation.receipt is None:
        raise Problem("not_published", "Nothing has been published for this operation.")
    published = await app.reports.read(tenant=operation.tenant, operation_id=operation.id)
    if published is None:
        raise Problem("report_missing", "It was published, and is gone from where it was.")
    if sha256(published) != operation.receipt.get("sha256"):
        raise Problem("report_altered", "What is there now is not what was published.")
    return func.HttpResponse(
        published,
        mimetype="text/markdown",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
    )


async def _readable(app: Services, request: func.HttpRequest, person: Person) -> Operation:
    operation = await operation_of(app, request, person)
    refuse_outsider(person, operation)
    return operation
