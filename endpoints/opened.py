"""Open the source of a claim, or of an answer of the fact-checker, at its quote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.services import Services
from endpoints.lookup import number_in, readable_operation, version_in
from endpoints.parameters import FROM, QUESTION
from endpoints.problems import malformed, not_found
from endpoints.routes import route

if TYPE_CHECKING:
    from countersign.research.opened import Quoted
    from endpoints.answers.opened import SourceView

VERSION = "operations/{id}/proposals/{version}"

blueprint = func.Blueprint()


@route(
    blueprint,
    f"{VERSION}/claims/{{claim}}/source",
    "GET",
    parameters=[FROM],
    problems=["not_authorised", "unknown_kind", "erased"],
)
async def get_source(app: Services, req: func.HttpRequest, person: Person) -> SourceView:
    """Open the source of a claim at its quote: the text that was kept, a part at a time."""
    from countersign.reports.evidence import read_evidence
    from countersign.research.opened import Quoted

    operation = await readable_operation(app, req, person)
    proposal = version_in(req, operation)
    if proposal.evidence is None:
        raise not_found("evidence")
    evidence = await read_evidence(app.artifacts, operation.shelf, proposal.evidence)
    claim = evidence.claims[number_in(req, "claim", len(evidence.claims)) - 1]
    quoted = Quoted(source=claim.source, quote=claim.quote, passage=claim.passage)
    return await _opened(app, req, operation, quoted)


@route(
    blueprint,
    f"{VERSION}/questions/{{question}}/quotes/{{quote}}/source",
    "GET",
    parameters=[FROM],
    problems=["not_authorised", "unknown_kind", "erased"],
)
async def get_quoted_source(app: Services, req: func.HttpRequest, person: Person) -> SourceView:
    """Open the source of an answer at one of its quotes, as that of a claim."""
    from countersign.research.opened import Quoted

    operation = await readable_operation(app, req, person)
    version, asked = version_in(req, operation).version, QUESTION.of(req)
    about = (each for each in operation.questions if each.version == version)
    question = next((each for each in about if each.id == asked), None)
    if question is None or question.answer is None:
        raise not_found("question")
    answer = await app.questions.read(operation.shelf, question.answer)
    quotation = answer.quotes[number_in(req, "quote", len(answer.quotes)) - 1]
    if quotation.source is None:
        raise not_found("source")
    quoted = Quoted(source=quotation.source.id, quote=quotation.quote, passage=quotation.passage)
    return await _opened(app, req, operation, quoted)


async def _opened(
    app: Services, request: func.HttpRequest, operation: Operation, quoted: Quoted
) -> SourceView:
    from countersign.research.material import Material
    from countersign.research.opened import opened_source
    from countersign.sources.library import UnknownSource
    from endpoints.answers.opened import SourceView

    start = _start_in(request)
    material = Material(app.team.workshop, app.team.choice, operation)
    try:
        opened = await opened_source(material, quoted, start)
    except UnknownSource:
        raise not_found("source") from None
    return SourceView.of(opened)


def _start_in(request: func.HttpRequest) -> int | None:
    """Return where in a source's text to begin, None if that wasn't said.

    Raises:
        Problem: 422, it is no such number.
    """
    text = FROM.of(request)
    if text is not None and not re.fullmatch(r"[0-9]{1,8}", text):
        raise malformed({"from": "it must be a number from 0 to 99999999"})
    return None if text is None else int(text)
