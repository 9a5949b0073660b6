"""Have work tried again that waits for an operator: record first, start second."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals.holding import request_retry
from countersign.approvals.person import Person
from countersign.approvals.standing import needs_operator
from countersign.operations.repository import Changed
from countersign.operations.summary import state_of
from countersign.services import Services
from endpoints.lookup import operation_of
from endpoints.problems import refused
from endpoints.routes import route
from endpoints.runtime import EventDelivery, start_at_once, start_orchestration

if TYPE_CHECKING:
    from endpoints.answers.operations import Retried

blueprint = df.Blueprint()


@route(
    blueprint,
    "operations/{id}/retry",
    "POST",
    problems=["not_authorised", "already_decided", "ledger_broken"],
)
async def retry_operation(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    client: df.DurableOrchestrationClient,
) -> Retried:
    """Retry work that waits for an operator.

    If nothing waits, or a retry was already requested, nothing is recorded and the answer is the
    current state.
    """
    from endpoints.answers.operations import HoldView, Retried

    operation = await operation_of(app, req, person)
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: request_retry(state, person, now),
        by=person,
    )
    if not isinstance(changed, Changed):
        raise refused(changed)
    return Retried(
        operation_id=operation.id,
        state=state_of(changed.operation),
        hold=HoldView.of(changed.operation),
        delivery=await _started(client, changed),
    )


async def _started(client: df.DurableOrchestrationClient, changed: Changed) -> EventDelivery:
    if changed.events:
        return await start_at_once(client, changed.operation)
    if needs_operator(changed.operation):
        return await start_orchestration(client, changed.operation)
    return "delivered"
