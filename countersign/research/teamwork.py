"""The team's work as every engine drives it: each step is done once and can be asked for again.

The first result of a step is kept by what went into it and in the ledger, so a repeat after a crash
answers with that result and calls no model. A step that fails for a cause that somebody can remove,
or that passes, ends nothing: the ledger holds why, and when the next try is due.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from countersign.approvals import rules
from countersign.approvals.hold import Fault
from countersign.approvals.holding import fail_revision, hold_work, resume_work
from countersign.approvals.operation import Operation
from countersign.approvals.standing import ended, needs_operator
from countersign.operations.endings import Answer, held, stop, stopped_by
from countersign.operations.faults import fault_of, is_final, sentence
from countersign.operations.repository import Changed, NotWanted
from countersign.operations.steps import PLAN, check_step, draft_step, findings_step
from countersign.retrieval.errors import NothingLookedUp
from countersign.sources.library import SourceError
from countersign.stores.artifacts import ArtifactError
from countersign.team.errors import BudgetSpent, NothingSupported, TeamError

if TYPE_CHECKING:
    from countersign.services import Services

MOST_UNREAD_TOLD = 5
"""Sources that could not be read, in the reason why there is no report."""

Step = Callable[[Operation], Awaitable[Answer]]

_log = logging.getLogger(__name__)


async def plan(app: Services, tenant: str, operation_id: str) -> Answer:
    """Cut the topic into subtopics.

    Returns:
        The number of `subtopics`, or why the work does not go on.
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

    return await _if_wanted(app, tenant, operation_id, PLAN, step)


async def research(
    app: Services, tenant: str, operation_id: str, *, number: int, subtopic: int
) -> Answer:
    """Find claims with their quotes for a subtopic (from 0) in a round (from 0).

    Returns:
        Nothing more, or why the work does not go on.
    """

    async def step(operation: Operation) -> Answer:
        await app.investigation.research(operation, number, subtopic)
        return {}

    return await _if_wanted(app, tenant, operation_id, findings_step(number, subtopic), step)


async def check(
    app: Services, tenant: str, operation_id: str, *, number: int, last: bool
) -> Answer:
    """Judge the findings up to a round (from 0).

    Returns:
        `approved` and the subtopics to research `again`, or why the operation ends: also where the
        `last` round is not good enough.
    """

    async def step(operation: Operation) -> Answer:
        judged = await app.investigation.check(operation, number, last=last)
        if last and not judged["approved"]:
            return stop("needs_revision", _lacking(judged["evidence"]))
        return {"approved": judged["approved"], "again": judged["again"]}

    return await _if_wanted(app, tenant, operation_id, check_step(number), step)


def _lacking(evidence: Mapping[str, Any]) -> str:
    """Why there is no report; what could not be read may be where it stands."""
    unread = [f"{line}." for line in evidence.get("unread", ())[:MOST_UNREAD_TOLD]]
    return " ".join([evidence["notes"], *(["Could not be read:", *unread] if unread else [])])


async def write(app: Services, tenant: str, operation_id: str, *, version: int) -> Answer:
    """Write a version (from 1), unless it has a text already.

    A revision that can't be made leaves the text as it is: that is the next version then.

    Returns:
        Nothing more, or why the work does not go on.
    """

    async def step(operation: Operation) -> Answer:
        if _has_text(operation, version):
            return {}
        try:
            await app.investigation.write(operation, version)
        except (TeamError, NothingLookedUp) as error:
            if version == 1 or not is_final(error):
                raise
            return await _leave_unrevised(app, operation, version - 1, sentence(error))
        return {}

    return await _if_wanted(app, tenant, operation_id, draft_step(version), step)


async def give_up(app: Services, tenant: str, operation_id: str, fault: Fault) -> Answer:
    """Leave a step to an operator that failed again and again, as nobody foresaw."""
    return await _hold(app, tenant, operation_id, None, fault, app.clock())


def _has_text(operation: Operation, version: int) -> bool:
    """Whether a version is open, repeats the one before it, or is a reviewer's own text."""
    if operation.proposal(version) or operation.unrevised:
        return True
    before = operation.proposal(version - 1)
    return before is not None and (before.status == "expired" or before.correction is not None)


async def _leave_unrevised(
    app: Services, operation: Operation, version: int, reason: str
) -> Answer:
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: fail_revision(state, version, reason, now),
    )
    return {} if isinstance(changed, Changed) else stopped_by(changed)


async def _if_wanted(
    app: Services, tenant: str, operation_id: str, name: str, step: Step
) -> Answer:
    """Carry a step out if the operation wants it now, and say so if it can't be done."""
    began = app.clock()
    operation = await app.operations.load(tenant, operation_id)
    if operation is None:
        return stop("failed", "The operation is not in the ledger.")
    if refusal := ended(operation):
        return stopped_by(refusal)
    hold = needs_operator(operation)
    if hold and not hold.is_due(began):
        return held(news=app.notifier.has_news(operation))
    await app.workshop.tell(operation, name)
    try:
        answer = await _done(operation, step)
    except (TeamError, SourceError, ArtifactError) as error:
        _log.warning("%s of %s can't be done now: %s", name, operation.id, error)
        answer = await _hold(app, tenant, operation_id, name, fault_of(error), began)
        if answer:
            return answer
        raise
    await app.operations.change(
        tenant, operation_id, lambda state, now: resume_work(state, name, now)
    )
    return answer


async def _done(operation: Operation, step: Step) -> Answer:
    """Carry a step out; what nobody can change makes the operation end."""
    try:
        return await step(operation)
    except NotWanted as error:
        return stopped_by(error.refusal)
    except BudgetSpent as error:
        return stop("over_budget", sentence(error))
    except (NothingSupported, NothingLookedUp) as error:
        return stop("needs_revision", sentence(error))


async def _hold(
    app: Services,
    tenant: str,
    operation_id: str,
    step: str | None,
    fault: Fault,
    began: datetime,
) -> Answer:
    """Record that a step failed; the answer is empty if it is soon tried again."""
    changed = await app.operations.change(
        tenant, operation_id, lambda state, now: hold_work(state, step, fault, began, now)
    )
    if not isinstance(changed, Changed):
        return stopped_by(changed)
    if needs_operator(changed.operation):
        return held(news=app.notifier.has_news(changed.operation))
    return {}
