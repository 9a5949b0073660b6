"""Ask for a report."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.events import OperationStarted
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.roles import ESCALATION, REQUESTER
from countersign.telemetry import about
from countersign.wiring import services
from endpoints.exchange import answer, caller, read_body
from endpoints.links import link, review_link
from endpoints.problems import Problem, malformed
from endpoints.routes import route
from endpoints.runtime import start_orchestration

if TYPE_CHECKING:
    from endpoints.bodies import ResearchBody

MOST_BYTES = 8_000_000

blueprint = df.Blueprint()


@route(blueprint, "research", "POST", client=True)
async def start_research(
    req: func.HttpRequest, client: df.DurableOrchestrationClient
) -> func.HttpResponse:
    """Accept a request; the same `Idempotency-Key` and body again get the same operation."""
    from endpoints.bodies import ResearchBody

    person = await caller(req, REQUESTER)
    body = read_body(req, ResearchBody, most_bytes=MOST_BYTES)
    operation_id = operation_id_for(person, req.headers.get("Idempotency-Key"))
    about(operation_id)
    event = await _beginning(person, body)
    started = await services().operations.start(person.tenant, operation_id, event)
    if started.operation.request != event.request:
        detail = "This Idempotency-Key was used for another request."
        facts = {"operation_id": operation_id, "review_url": review_link(req, operation_id)}
        raise Problem(409, "idempotency_conflict", detail, **facts)
    if started.events:
        await start_orchestration(client, started.operation)
    status_url = link(req, f"operations/{operation_id}")
    accepted = {
        "operation_id": operation_id,
        "status_url": status_url,
        "review_url": review_link(req, operation_id),
    }
    return answer(202 if started.events else 200, accepted, location=status_url)


async def _beginning(person: Person, body: ResearchBody) -> OperationStarted:
    """The first event of the operation, with the request as stored."""
    app = services()
    return OperationStarted(
        at=app.clock(),
        actor=person.actor,
        kind="research",
        title=body.topic,
        request=await app.artifacts.put(person.tenant, canonical(body.model_dump(mode="json"))),
        policy=policy_for(body, app.settings.window_seconds),
    )


def operation_id_for(person: Person, key: str | None) -> str:
    """The id that a person's idempotency key stands for; a fresh one without a key.

    Raises:
        Problem: 422, the key is longer than 200 characters or not printable ASCII.
    """
    if key is None:
        return f"research-{uuid.uuid4().hex[:24]}"
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", key):
        raise malformed({"Idempotency-Key": "use 1 to 200 printable ASCII characters, no spaces"})
    return f"research-{sha256(canonical([person.tenant, person.id, key]))[:24]}"


def policy_for(body: ResearchBody, usual_window: float) -> Policy:
    """The terms of the approval that this request gets."""
    return Policy(
        reviewer_role=body.approval.role,
        escalation_role=ESCALATION,
        quorum=body.approval.quorum,
        window_seconds=body.approval.window_seconds or usual_window,
    )
