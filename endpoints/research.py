"""Ask for a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals.person import Person
from countersign.kinds.report import REPORT
from countersign.roles import RESEARCH_REQUESTER
from countersign.services import Services
from endpoints.exchange import Response
from endpoints.parameters import KEY
from endpoints.problems import malformed
from endpoints.requests import ACCEPTED, TOO_MANY, accept
from endpoints.routes import route
from endpoints.sent import Sent

if TYPE_CHECKING:
    from countersign.reports.report_bodies import ReportRequestBody
    from endpoints.answers.places import Places
    from endpoints.answers.requests import Accepted

MOST_BYTES = 8_000_000

blueprint = df.Blueprint()


@route(blueprint, "sources", "GET", roles=[RESEARCH_REQUESTER])
async def get_sources(app: Services, person: Person) -> Places:
    """List the places where research can look."""
    from countersign.retrieval.allowed import LIBRARY
    from endpoints.answers.places import Places, library_view
    from endpoints.answers.unread import left_out

    allowed = app.settings.allowed
    has_library = LIBRARY in allowed.names
    return Places(
        look_in=list(allowed.look_in),
        most_addresses=allowed.most_addresses,
        library=await library_view(app) if has_library else None,
        left_out=await left_out(app) if has_library else [],
    )


@route(
    blueprint,
    "research",
    "POST",
    roles=[RESEARCH_REQUESTER],
    statuses=ACCEPTED,
    parameters=[KEY],
    problems=["idempotency_conflict", *TOO_MANY],
)
async def start_research(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    sent: Sent[ReportRequestBody],
    client: df.DurableOrchestrationClient,
) -> Response[Accepted]:
    """Request a report; repeating the `Idempotency-Key` and body returns the same operation."""
    from countersign.reports.report_bodies import ReportRequestBody

    body = sent.read(ReportRequestBody, most_bytes=MOST_BYTES)
    _refuse_closed(app, body)
    return await accept(app, req, client, person, REPORT, body)


def _refuse_closed(app: Services, body: ReportRequestBody) -> None:
    """Take nothing in that has research look where the operator's settings don't let it.

    Raises:
        Problem: 422, the fields name such a place, or none where one has to be named.
    """
    faults = app.settings.allowed.faults(
        tuple(body.look_in) if body.look_in else None,
        addresses=bool(body.addresses),
        documents=bool(body.documents),
    )
    if faults:
        raise malformed(faults)
