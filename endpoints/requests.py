"""Take a person's request in, of whichever kind: once for each idempotency key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.person import Person
from countersign.commands.starting import new_operation_id, start_operation
from countersign.platform.telemetry import about
from countersign.wiring import services
from endpoints.exchange import answer
from endpoints.links import link, review_link
from endpoints.problems import Problem, malformed
from endpoints.runtime import start_orchestration

if TYPE_CHECKING:
    from countersign.commands.starting import RequestBody


async def accept(
    request: func.HttpRequest,
    client: df.DurableOrchestrationClient,
    person: Person,
    body: RequestBody,
) -> func.HttpResponse:
    """Begin an operation; the same `Idempotency-Key` and body again get the same operation.

    Raises:
        Problem: 409, the key was used for another request; 422, it is no key.
    """
    operation_id = operation_id_for(person, body.kind, request.headers.get("Idempotency-Key"))
    about(operation_id)
    started, reference = await start_operation(services(), person, operation_id, body)
    if started.operation.request != reference:
        detail = "This Idempotency-Key was used for another request."
        facts = {"operation_id": operation_id, "review_url": review_link(request, operation_id)}
        raise Problem(409, "idempotency_conflict", detail, **facts)
    if started.events:
        await start_orchestration(client, started.operation)
    status_url = link(request, f"operations/{operation_id}")
    accepted = {
        "operation_id": operation_id,
        "status_url": status_url,
        "review_url": review_link(request, operation_id),
    }
    return answer(202 if started.events else 200, accepted, location=status_url)


def operation_id_for(person: Person, kind: str, key: str | None) -> str:
    """The id that a person's idempotency key stands for; a fresh one without a key.

    Raises:
        Problem: 422, the key is longer than 200 characters or not printable ASCII.
    """
    if key is None:
        return new_operation_id(kind)
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", key):
        raise malformed({"Idempotency-Key": "use 1 to 200 printable ASCII characters, no spaces"})
    return f"{kind}-{sha256(canonical([person.tenant, person.id, key]))[:24]}"
