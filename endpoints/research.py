"""Ask for a report."""

from __future__ import annotations

import azure.durable_functions as df
import azure.functions as func

from countersign.roles import REQUESTER
from endpoints.exchange import caller, read_body
from endpoints.requests import accept
from endpoints.routes import route

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
    return await accept(req, client, person, body)
