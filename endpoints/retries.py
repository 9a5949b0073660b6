"""Have work tried again that waits for an operator: record first, start second."""

from __future__ import annotations

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals.holding import request_retry
from countersign.approvals.standing import needs_operator
from countersign.operations.repository import Changed
from countersign.operations.summary import state_of
from countersign.wiring import services
from endpoints.exchange import answer, caller
from endpoints.lookup import operation_of
from endpoints.problems import refused
from endpoints.routes import route
from endpoints.runtime import Delivery, start_at_once, start_orchestration
from endpoints.views import hold_view

blueprint = df.Blueprint()


@route(blueprint, "operations/{id}/retry", "POST", client=True)
async def retry_operation(
    req: func.HttpRequest, client: df.DurableOrchestrationClient
) -> func.HttpResponse:
    """Record that somebody wants the work tried again now, then start it.

    Where nothing waits, or the same was asked before, nothing is recorded, and the answer is how
    things stand.
    """
    person = await caller(req)
    operation = await operation_of(req, person)
    changed = await services().operations.change(
        operation.tenant, operation.id, lambda state, now: request_retry(state, person, now)
    )
    if not isinstance(changed, Changed):
        raise refused(changed)
    told = {
        "operation_id": operation.id,
        "state": state_of(changed.operation),
        "hold": hold_view(changed.operation),
        "delivery": await _started(client, changed),
    }
    return answer(200, told)


async def _started(client: df.DurableOrchestrationClient, changed: Changed) -> Delivery:
    if changed.events:
        return await start_at_once(client, changed.operation)
    if needs_operator(changed.operation):
        return await start_orchestration(client, changed.operation)
    return "delivered"
