"""The team's work: plan, research, check, write. Each step's result is stored and never made twice.

Running any of these twice is safe: the first result of a step is kept by what went into it and in
the ledger, so a repeat after a crash answers with that result and calls no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import azure.durable_functions as df

from activities.answers import Answer, stop, stopped_by
from countersign.approvals import rules
from countersign.approvals.operation import Operation
from countersign.approvals.standing import ended
from countersign.investigation import check_step, draft_step, findings_step
from countersign.operations import Changed
from countersign.sources.library import SourceError
from countersign.team.errors import BudgetSpent, ModelNotConfigured, ModelRefused, NothingSupported
from countersign.wiring import Services, services
from countersign.workshop import Made

researching = df.Blueprint()


@researching.activity_trigger(input_name="order")
def plan_research(order: dict[str, Any]) -> Answer:
    """Cut the topic into subtopics; a repeat finds the plan and answers with it."""

    async def plan(app: Services, operation: Operation) -> Answer:
        made = await app.investigation.plan(operation)
        subtopics = tuple(made.result["subtopics"])
        await app.operations.change(
            operation.tenant,
            operation.id,
            lambda state, now: rules.plan_work(state, subtopics, made.tokens, now),
        )
        return {"subtopics": len(subtopics)}

    return asyncio.run(_work(order, plan))


@researching.activity_trigger(input_name="order")
def research_subtopic(order: dict[str, Any]) -> Answer:
    """Find claims with their quotes; a repeat finds the findings and answers at once."""

    async def research(app: Services, operation: Operation) -> Answer:
        number, subtopic = order["round"], order["subtopic"]
        made = await app.investigation.research(operation, number, subtopic, order["share"])
        return await _recorded(app, operation, findings_step(number, subtopic), made)

    return asyncio.run(_work(order, research))


@researching.activity_trigger(input_name="order")
def check_facts(order: dict[str, Any]) -> Answer:
    """Judge the findings; a repeat finds the judgement and answers with it."""

    async def check(app: Services, operation: Operation) -> Answer:
        made = await app.investigation.check(operation, order["round"])
        answer = await _recorded(app, operation, check_step(order["round"]), made)
        if order["last"] and not made.result["approved"]:
            return stop("needs_revision", made.result["notes"])
        return {**answer, "approved": made.result["approved"], "again": made.result["again"]}

    return asyncio.run(_work(order, check))


@researching.activity_trigger(input_name="order")
def write_draft(order: dict[str, Any]) -> Answer:
    """Write a version, or take the reviewer's own text; a repeat finds the draft."""

    async def write(app: Services, operation: Operation) -> Answer:
        version = order["version"]
        before = operation.proposal(version - 1)
        if before and before.correction:
            return {}
        made = await app.investigation.write(operation, version)
        return await _recorded(app, operation, draft_step(version), made)

    return asyncio.run(_work(order, write))


async def _work(
    order: dict[str, Any], step: Callable[[Services, Operation], Awaitable[Answer]]
) -> Answer:
    """Carry a step out if the operation still wants it, and say so if it can't be done."""
    app = services()
    operation = await app.operations.load(order["tenant"], order["operation_id"])
    if operation is None:
        return stop("failed", "The operation is not in the ledger.")
    if refusal := ended(operation):
        return stopped_by(refusal)
    try:
        return await step(app, operation)
    except BudgetSpent as error:
        return stop("over_budget", str(error))
    except NothingSupported as error:
        return stop("needs_revision", str(error))
    except (ModelNotConfigured, ModelRefused, SourceError) as error:
        return stop("failed", str(error))


async def _recorded(app: Services, operation: Operation, step: str, made: Made) -> Answer:
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: rules.record_work(state, step, made.reference, made.tokens, now),
    )
    return {} if isinstance(changed, Changed) else stopped_by(changed)
