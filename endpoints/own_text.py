"""Check what a reviewer would have instead of a version, before they offer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.permissions import permissions
from countersign.approvals.person import Person
from countersign.services import Services
from endpoints.decisions import MOST_DECISION_BYTES, REFUSALS
from endpoints.lookup import operation_of, version_in
from endpoints.problems import not_found, refused
from endpoints.routes import route
from endpoints.sent import Sent

if TYPE_CHECKING:
    from countersign.reports.report_bodies import ReportCorrectionBody
    from endpoints.answers.own_text import CheckedTextView

blueprint = func.Blueprint()


@route(
    blueprint,
    "operations/{id}/proposals/{version}/check",
    "POST",
    problems=["not_authorised", *REFUSALS],
)
async def check_text(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    sent: Sent[ReportCorrectionBody],
) -> CheckedTextView:
    """Check a text against the sources before it is sent as a correction; it decides nothing."""
    from countersign.reports.report_bodies import ReportCorrectionBody
    from countersign.research.material import Material
    from countersign.research.own_text import check_own_text
    from endpoints.answers.own_text import CheckedTextView

    operation = await operation_of(app, req, person)
    proposal = version_in(req, operation)
    if refusal := permissions(operation, proposal, person, app.clock()).correct:
        raise refused(refusal)
    if proposal.evidence is None:
        raise not_found("evidence")
    body = sent.read(ReportCorrectionBody, most_bytes=MOST_DECISION_BYTES)
    material = Material(app.team.workshop, app.team.choice, operation)
    return CheckedTextView.of(await check_own_text(material, proposal, body.text))
