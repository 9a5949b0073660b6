"""Ask the fact-checker about a version, and read what it answered: record first, start second."""

from __future__ import annotations

import asyncio
from typing import Any

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals import questions
from countersign.approvals.operation import Operation, Question
from countersign.operations.repository import Changed
from countersign.wiring import services
from endpoints.exchange import answer, caller, read_body
from endpoints.lookup import operation_of, refuse_stranger, version_in
from endpoints.problems import refused
from endpoints.routes import route
from endpoints.runtime import start_answering

MOST_BYTES = 64_000

ROUTE = "operations/{id}/proposals/{version}/questions"

blueprint = df.Blueprint()


@route(blueprint, ROUTE, "POST", client=True)
async def ask_question(
    req: func.HttpRequest, client: df.DurableOrchestrationClient
) -> func.HttpResponse:
    """Record a question and have it answered; the same again while it is open is the same one."""
    from countersign.commands.bodies import QuestionBody

    person = await caller(req)
    operation = await operation_of(req, person)
    proposal = version_in(req, operation)
    body = read_body(req, QuestionBody, most_bytes=MOST_BYTES)
    command = questions.Ask(reviewer=person, version=proposal.version, question=body.question)
    changed = await services().operations.change(
        operation.tenant, operation.id, lambda state, now: questions.ask(state, command, now)
    )
    if not isinstance(changed, Changed):
        raise refused(changed)
    asked = [each for each in changed.operation.questions if each.by.id == person.id][-1]
    if changed.events:
        await start_answering(client, changed.operation, asked)
    return answer(202, {"question_id": asked.id})


@route(blueprint, ROUTE, "GET")
async def list_questions(req: func.HttpRequest) -> func.HttpResponse:
    """What was asked about a version, in order, with the answers that there are."""
    person = await caller(req)
    operation = await operation_of(req, person)
    refuse_stranger(person, operation)
    version = version_in(req, operation).version
    about = [each for each in operation.questions if each.version == version]
    shown = await asyncio.gather(*(question_view(operation, each) for each in about))
    return answer(200, {"questions": shown})


async def question_view(operation: Operation, question: Question) -> dict[str, Any]:
    """A question with its answer; where there will be none, `answer` says why."""
    shown: dict[str, Any] = {
        "question_id": question.id,
        "by": question.by.name,
        "at": question.at.isoformat(),
        "question": question.text,
        "status": "asked",
        "answer": None,
        "quotes": [],
    }
    if why := questions.failure(operation, question):
        return {**shown, "status": "failed", "answer": why}
    if question.answer is None:
        return shown
    reply = await services().consultations.read(operation.tenant, question.answer)
    quotes = [
        {
            "quote": each.quote,
            "source": each.source.model_dump(include={"title", "url"}) if each.source else None,
            "found": each.passage is not None,
            "passage": each.passage.model_dump() if each.passage else None,
        }
        for each in reply.quotes
    ]
    return {**shown, "status": "answered", "answer": reply.answer, "quotes": quotes}
