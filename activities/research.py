"""The team's work: plan, research, check, write. Each step's result is stored and never made twice.

Running any of these twice is safe: the first result of a step is kept by what went into it and in
the ledger, so a repeat after a crash answers with that result and calls no model.
"""

from __future__ import annotations

import azure.durable_functions as df

from activities.failures import contained
from activities.traces import traced
from countersign.operations.endings import Answer
from countersign.research import teamwork
from countersign.wiring import services
from orchestrators.inputs import CheckInput, OperationInput, SubtopicInput, VersionInput

blueprint = df.Blueprint()


@blueprint.activity_trigger(input_name="order")
@contained
@traced
async def plan_research(order: OperationInput) -> Answer:
    """Cut the topic into subtopics; a repeat finds the plan and answers with it."""
    return await teamwork.plan(services(), order["tenant"], order["operation_id"])


@blueprint.activity_trigger(input_name="order")
@contained
@traced
async def research_subtopic(order: SubtopicInput) -> Answer:
    """Find claims with their quotes; a repeat finds the findings and answers at once."""
    return await teamwork.research(
        services(),
        order["tenant"],
        order["operation_id"],
        number=order["round"],
        subtopic=order["subtopic"],
    )


@blueprint.activity_trigger(input_name="order")
@contained
@traced
async def check_facts(order: CheckInput) -> Answer:
    """Judge the findings; a repeat finds the judgement and answers with it."""
    return await teamwork.check(
        services(),
        order["tenant"],
        order["operation_id"],
        number=order["round"],
        last=order["last"],
    )


@blueprint.activity_trigger(input_name="order")
@contained
@traced
async def write_draft(order: VersionInput) -> Answer:
    """Write a version, or take the reviewer's own text; a repeat finds the draft."""
    return await teamwork.write(
        services(), order["tenant"], order["operation_id"], version=order["version"]
    )
