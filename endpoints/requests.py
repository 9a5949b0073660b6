"""Take a person's request in, once for each idempotency key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.person import Person
from countersign.commands.starting import UnfitTerms, start_operation
from countersign.kinds.kind import DecisionModel, Kind, Offered, RequestModel
from countersign.operations.allowances import AllowanceUsed
from countersign.platform.telemetry import about
from countersign.services import Services
from endpoints.exchange import Response
from endpoints.links import link, review_link
from endpoints.parameters import KEY
from endpoints.problems import Problem, malformed
from endpoints.runtime import never_began, start_orchestration

if TYPE_CHECKING:
    from endpoints.answers.requests import Accepted

TOO_MANY = ("too_many_open", "tokens_spent")
"""Why somebody can't ask for more now."""

ACCEPTED = {202: "Accepted.", 200: "Already accepted."}


async def accept(
    app: Services,
    request: func.HttpRequest,
    client: df.DurableOrchestrationClient,
    person: Person,
    kind: Kind[RequestModel, DecisionModel, Offered],
    body: RequestModel,
) -> Response[Accepted]:
    """Begin an operation; the same `Idempotency-Key` and body again get the same operation.

    Raises:
        Problem: 409, the key was used for another request; 422, it is no key, or the terms of the
            approval are not those that requests can have; 429, the person has used what they may.
    """
    from endpoints.answers.requests import Accepted

    named = operation_id_for(person, kind.name, KEY.of(request))
    try:
        started, reference = await start_operation(app, person, named, kind, body)
    except UnfitTerms as error:
        raise malformed({"approval.window_seconds": f"{error}"}) from error
    except AllowanceUsed as error:
        raise _too_many(error) from error
    operation_id = started.operation.id
    about(operation_id)
    review_url = review_link(app, request, operation_id)
    if started.operation.request != reference:
        detail = "This Idempotency-Key was used for another request."
        facts = {"operation_id": operation_id, "review_url": review_url}
        raise Problem("idempotency_conflict", detail, **facts)
    if started.events or await never_began(client, started.operation):
        await start_orchestration(client, started.operation)
    status_url = link(app, request, f"operations/{operation_id}")
    return Response(
        body=Accepted(operation_id=operation_id, status_url=status_url, review_url=review_url),
        status=202 if started.events else 200,
        headers={"Location": status_url},
    )


def _too_many(used: AllowanceUsed) -> Problem:
    problem = Problem(used.code, f"{used}", most=used.most)
    problem.retry_after = used.retry_after
    return problem


def operation_id_for(person: Person, kind: str, key: str | None) -> str | None:
    """Return the id that a person's idempotency key stands for; None without a key.

    Raises:
        Problem: 422, the key is longer than 200 characters or not printable ASCII.
    """
    if key is None:
        return None
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", key):
        raise malformed({KEY.name: "use 1 to 200 printable ASCII characters, no spaces"})
    return f"{kind}-{sha256(canonical([person.tenant, person.id, key]))[:24]}"
