"""The team's work as every engine drives it: each step is done once and can be asked for again.

The first result of a step is kept by what went into it and in the ledger, so a repeat after a crash
answers with that result and calls no model.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from countersign.approvals import rules
from countersign.approvals.operation import Operation
from countersign.approvals.standing import ended
from countersign.endings import Answer, stop, stopped_by
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

if TYPE_CHECKING:
    from countersign.wiring import Services

_log = logging.getLogger(__name__)


async def plan(app: Services, tenant: str, operation_id: str) -> Answer:
    """Cut the topic into subtopics.

    Returns:
        The number of `subtopics`, or why the operation ends.
    """

    async def step(operation: Operation) -> Answer:
        if operation.subtopics is not None:
            return {"subtopics": len(operation.subtopics)}
        subtopics = await app.investigation.plan(operation)
        changed = await app.operations.change(
            tenant, operation_id, lambda state, now: rules.plan_work(state, subtopics, now)
        )
        if not isinstance(changed, Changed):
            return stopped_by(changed)
        return {"subtopics": len(changed.operation.subtopics or ())}

    return await _if_wanted(app, tenant, operation_id, step)


async def research(
    app: Services, tenant: str, operation_id: str, *, number: int, subtopic: int
) -> Answer:
    """Find claims with their quotes for a subtopic (from 0) in a round (from 0).

    Returns:
        Nothing more, or why the operation ends.
    """

    async def step(operation: Operation) -> Answer:
        await app.investigation.research(operation, number, subtopic)
        return {}

    return await _if_wanted(app, tenant, operation_id, step)


async def check(
    app: Services, tenant: str, operation_id: str, *, number: int, last: bool
) -> Answer:
    """Judge the findings up to a round (from 0).

    Returns:
        `approved` and the subtopics to research `again`, or why the operation ends: also where the
        `last` round is not good enough.
    """

    async def step(operation: Operation) -> Answer:
        judged = await app.investigation.check(operation, number)
        if last and not judged["approved"]:
            return stop("needs_revision", judged["evidence"]["notes"])
        return {"approved": judged["approved"], "again": judged["again"]}

    return await _if_wanted(app, tenant, operation_id, step)


async def write(app: Services, tenant: str, operation_id: str, *, version: int) -> Answer:
    """Write a version (from 1), unless a reviewer's own text takes its place.

    Returns:
        Nothing more, or why the operation ends.
    """

    async def step(operation: Operation) -> Answer:
        before = operation.proposal(version - 1)
        if before is None or before.correction is None:
            await app.investigation.write(operation, version)
        return {}

    return await _if_wanted(app, tenant, operation_id, step)


async def _if_wanted(
    app: Services, tenant: str, operation_id: str, step: Callable[[Operation], Awaitable[Answer]]
) -> Answer:
    """Carry a step out if the operation still wants it, and say so if it can't be done."""
    operation = await app.operations.load(tenant, operation_id)
    if operation is None:
        return stop("failed", "The operation is not in the ledger.")
    if refusal := ended(operation):
        return stopped_by(refusal)
    try:
        return await step(operation)
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
