"""Ask for a report."""

from __future__ import annotations

import re

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.person import Person
from countersign.roles import REQUESTER
from countersign.starting import new_operation_id
from countersign.starting import start_research as begin_research
from countersign.telemetry import about
from countersign.wiring import services
from endpoints.exchange import answer, caller, read_body
from endpoints.links import link, review_link
from endpoints.problems import Problem, malformed
from endpoints.routes import route
from endpoints.runtime import start_orchestration

MOST_BYTES = 8_000_000

blueprint = df.Blueprint()


@route(blueprint, "research", "POST", client=True)
async def start_research(
    req: func.HttpRequest, client: df.DurableOrchestrationClient
) -> func.HttpResponse:
    """Accept a request; the same `Idempotency-Key` and body again get the same operation."""
    from countersign.bodies import ResearchBody

    person = await caller(req, REQUESTER)
    body = read_body(req, ResearchBody, most_bytes=MOST_BYTES)
    operation_id = operation_id_for(person, req.headers.get("Idempotency-Key"))
    about(operation_id)
    started, request = await begin_research(services(), person, operation_id, body)
    if started.operation.request != request:
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


def operation_id_for(person: Person, key: str | None) -> str:
    """The id that a person's idempotency key stands for; a fresh one without a key.

    Raises:
        Problem: 422, the key is longer than 200 characters or not printable ASCII.
    """
    if key is None:
        return new_operation_id()
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", key):
        raise malformed({"Idempotency-Key": "use 1 to 200 printable ASCII characters, no spaces"})
    return f"research-{sha256(canonical([person.tenant, person.id, key]))[:24]}"
