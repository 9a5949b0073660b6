"""The team's work: plan, research, check, write. Each step's result is stored and never made twice.

Running any of these twice is safe: the first result of a step is kept in the ledger and answered
with again. A repeat after a crash before that finds what models have replied, and asks none.
"""

from __future__ import annotations

import azure.durable_functions as df

from activities.proposals import offered
from activities.step import step
from countersign.services import Services
from countersign.steps.records import CheckWork, Result, SubtopicWork, VersionWork, Work

blueprint = df.Blueprint()


@step(blueprint)
async def plan_research(app: Services, work: Work) -> Result:
    """Cut the topic into subtopics; a repeat finds the plan and answers with it."""
    return await app.team.plan(work)


@step(blueprint)
async def research_subtopic(app: Services, work: SubtopicWork) -> Result:
    """Find claims with their quotes; a repeat finds the findings and answers at once."""
    return await app.team.research(work)


@step(blueprint)
async def check_facts(app: Services, work: CheckWork) -> Result:
    """Judge the findings; a repeat finds the judgement and answers with it."""
    return await app.team.check(work)


@step(blueprint)
async def write_draft(app: Services, work: VersionWork) -> Result:
    """Write a version, or take the reviewer's own text, and offer it for approval.

    A repeat finds the draft, and opens it once.
    """
    return await offered(app, work, await app.team.write(work))
