"""Ask for a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.roles import RESEARCH_REQUESTER
from countersign.wiring import services
from endpoints.exchange import answer, caller, read_body
from endpoints.problems import malformed
from endpoints.requests import accept
from endpoints.routes import route

if TYPE_CHECKING:
    from countersign.research.report_bodies import ReportRequestBody

MOST_BYTES = 8_000_000

blueprint = df.Blueprint()


@route(blueprint, "sources", "GET")
async def get_sources(req: func.HttpRequest) -> func.HttpResponse:
    """Say where research can look, before anybody asks for it."""
    await caller(req, RESEARCH_REQUESTER)
    allowed = services().settings.allowed
    return answer(200, {"look_in": list(allowed.look_in), "most_addresses": allowed.most_addresses})


@route(blueprint, "research", "POST", client=True)
async def start_research(
    req: func.HttpRequest, client: df.DurableOrchestrationClient
) -> func.HttpResponse:
    """Accept a request; the same `Idempotency-Key` and body again get the same operation."""
    from countersign.research.report_bodies import ReportRequestBody

    person = await caller(req, RESEARCH_REQUESTER)
    body = read_body(req, ReportRequestBody, most_bytes=MOST_BYTES)
    _refuse_closed(body)
    return await accept(req, client, person, body)


def _refuse_closed(body: ReportRequestBody) -> None:
    """Take nothing in that has research look where the operator's settings don't let it.

    Raises:
        Problem: 422, the fields name such a place, or none where one has to be named.
    """
    faults = services().settings.allowed.faults(
        tuple(body.look_in) if body.look_in else None,
        addresses=bool(body.addresses),
        documents=bool(body.documents),
    )
    if faults:
        raise malformed(faults)
