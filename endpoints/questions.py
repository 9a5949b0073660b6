"""Ask the fact-checker about a version, and read what it answered: record first, start second."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals import questions
from countersign.approvals.person import Person
from countersign.operations.repository import Changed
from countersign.services import Services
from endpoints.lookup import operation_of, readable_operation, version_in
from endpoints.problems import refused
from endpoints.routes import route
from endpoints.runtime import start_answering
from endpoints.sent import Sent

if TYPE_CHECKING:
    from countersign.bodies.body import QuestionBody
    from endpoints.answers.questions import AskedQuestion, QuestionList

MOST_BYTES = 64_000

ROUTE = "operations/{id}/proposals/{version}/questions"

blueprint = df.Blueprint()


@route(
    blueprint,
    ROUTE,
    "POST",
    statuses={202: "Asked; the answer is in preparation."},
    problems=[
        "not_authorised",
        "own_request",
        "already_decided",
        "superseded",
        "question_open",
        "questions_spent",
        "erased",
        "expired",
        "ledger_broken",
    ],
)
async def ask_question(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    sent: Sent[QuestionBody],
    client: df.DurableOrchestrationClient,
) -> AskedQuestion:
    """Ask the fact-checker about a version; repeating an open question returns the same one."""
    from countersign.bodies.body import QuestionBody
    from endpoints.answers.questions import AskedQuestion

    operation = await operation_of(app, req, person)
    proposal = version_in(req, operation)
    body = sent.read(QuestionBody, most_bytes=MOST_BYTES)
    command = questions.Ask(reviewer=person, version=proposal.version, question=body.question)
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: questions.ask(state, command, now),
        by=person,
    )
    if not isinstance(changed, Changed):
        raise refused(changed)
    asked = [each for each in changed.operation.questions if each.by.id == person.id][-1]
    if changed.events:
        await start_answering(client, changed.operation, asked)
    return AskedQuestion(question_id=asked.id)


@route(blueprint, ROUTE, "GET", problems=["not_authorised", "erased"])
async def list_questions(app: Services, req: func.HttpRequest, person: Person) -> QuestionList:
    """List the questions about a version, in order, with their answers so far."""
    from endpoints.answers.questions import QuestionList, question_view

    operation = await readable_operation(app, req, person)
    version = version_in(req, operation).version
    about = [each for each in operation.questions if each.version == version]
    shown = await asyncio.gather(*(question_view(operation, each, app.questions) for each in about))
    return QuestionList(questions=shown)
