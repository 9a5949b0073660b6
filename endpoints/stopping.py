"""End an operation that is not approved, as somebody who runs the app: record, then ring."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals.person import OPERATOR, Person
from countersign.approvals.stopping import stop
from countersign.operations.repository import Changed
from countersign.services import Services
from endpoints.lookup import operation_of
from endpoints.problems import refused
from endpoints.routes import route
from endpoints.runtime import go_on
from endpoints.sent import Sent

if TYPE_CHECKING:
    from countersign.bodies.body import StopBody
    from endpoints.answers.operations import Stopped

MOST_STOP_BYTES = 64_000

blueprint = df.Blueprint()


@route(
    blueprint,
    "operations/{id}/stop",
    "POST",
    roles=(OPERATOR,),
    problems=["not_authorised", "already_decided", "expired", "ledger_broken"],
)
async def stop_operation(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    sent: Sent[StopBody],
    client: df.DurableOrchestrationClient,
) -> Stopped:
    """Stop an operation that is not approved yet.

    Terminating its orchestration does not end it: the app starts it again.
    """
    from countersign.bodies.body import StopBody
    from endpoints.answers.operations import Stopped

    operation = await operation_of(app, req, person)
    body = sent.read(StopBody, most_bytes=MOST_STOP_BYTES)
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: stop(state, person, body.reason, now),
        by=person,
    )
    if not isinstance(changed, Changed):
        raise refused(changed)
    stopped = changed.operation.stopped
    assert stopped is not None  # noqa: S101 - it was recorded just now, or before
    await go_on(client, changed.operation)
    return Stopped(operation_id=operation.id, state="stopped", at=stopped.at)
