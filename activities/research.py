"""The team's work: plan, research, check, write. Each step's result is stored and never made twice.

Running any of these twice is safe: the first result of a step is kept by what went into it and in
the ledger, so a repeat after a crash answers with that result and calls no model.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import azure.durable_functions as df

from activities.answers import Answer, stop, stopped_by
from activities.failures import contained
from activities.traces import traced
from countersign.approvals import rules
from countersign.approvals.operation import Operation
from countersign.approvals.standing import ended
from countersign.operations import Changed, NotWanted
from countersign.sources.library import MissingFolder, SourceError, UnknownSource, UnusableIndex
from countersign.stores.artifacts import ArtifactError, DamagedArtifact, MissingArtifact
from countersign.team.errors import (
    BudgetSpent,
    ModelNotConfigured,
    ModelRefused,
    NothingSupported,
    UnusableAnswer,
)
from countersign.wiring import Services, services

blueprint = df.Blueprint()

_log = logging.getLogger(__name__)


@blueprint.activity_trigger(input_name="order")
@contained
@traced
def plan_research(order: dict[str, Any]) -> Answer:
    """Cut the topic into subtopics; a repeat finds the plan and answers with it."""

    async def plan(app: Services, operation: Operation) -> Answer:
        if operation.subtopics is not None:
            return {"subtopics": len(operation.subtopics)}
        subtopics = await app.investigation.plan(operation)
        changed = await app.operations.change(
            operation.tenant,
            operation.id,
            lambda state, now: rules.plan_work(state, subtopics, now),
        )
        if not isinstance(changed, Changed):
            return stopped_by(changed)
        return {"subtopics": len(changed.operation.subtopics or ())}

    return asyncio.run(_work(order, plan))


@blueprint.activity_trigger(input_name="order")
@contained
@traced
def research_subtopic(order: dict[str, Any]) -> Answer:
    """Find claims with their quotes; a repeat finds the findings and answers at once."""

    async def research(app: Services, operation: Operation) -> Answer:
        await app.investigation.research(operation, order["round"], order["subtopic"])
        return {}

    return asyncio.run(_work(order, research))


@blueprint.activity_trigger(input_name="order")
@contained
@traced
def check_facts(order: dict[str, Any]) -> Answer:
    """Judge the findings; a repeat finds the judgement and answers with it."""

    async def check(app: Services, operation: Operation) -> Answer:
        judged = await app.investigation.check(operation, order["round"])
        if order["last"] and not judged["approved"]:
            return stop("needs_revision", judged["evidence"]["notes"])
        return {"approved": judged["approved"], "again": judged["again"]}

    return asyncio.run(_work(order, check))


@blueprint.activity_trigger(input_name="order")
@contained
@traced
def write_draft(order: dict[str, Any]) -> Answer:
    """Write a version, or take the reviewer's own text; a repeat finds the draft."""

    async def write(app: Services, operation: Operation) -> Answer:
        version = order["version"]
        before = operation.proposal(version - 1)
        if before is None or before.correction is None:
            await app.investigation.write(operation, version)
        return {}

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
    except NotWanted as error:
        return stopped_by(error.refusal)
    except BudgetSpent as error:
        return stop("over_budget", f"{error}.")
    except NothingSupported as error:
        return stop("needs_revision", f"{error}.")
    except (ModelNotConfigured, ModelRefused, UnusableAnswer) as error:
        return stop("failed", f"{error}.")
    except (SourceError, ArtifactError) as error:
        # Its text names folders of this machine, which is nothing for every reader of the ledger.
        _log.error("%s can't go on: %s", operation.id, error)
        return stop("failed", f"{_WHAT_FAILED[type(error)]}; the host's log says more.")


_WHAT_FAILED = {
    MissingFolder: "The library's folder is missing",
    UnusableIndex: "The library's index can't be used",
    UnknownSource: "A source was removed from the library during the work",
    MissingArtifact: "A stored result is missing",
    DamagedArtifact: "A stored result is damaged",
}
