"""Every minute, mend what a crash left between the ledger, the index and the orchestrations."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from weakref import WeakKeyDictionary

import azure.durable_functions as df

from countersign.approvals.operation import Operation, Proposal, Question
from countersign.approvals.questions import fail_question
from countersign.approvals.standing import needs_operator, open_questions
from countersign.kinds.registry import is_known
from countersign.operations.repository import Operations
from countersign.operations.summary import summarise
from countersign.services import Services
from countersign.steps.records import Work, to_json
from countersign.stores.index import Announcement, Index, Stalled, moves_by_itself_from
from endpoints.rounds import ListRound
from endpoints.runtime import (
    ALIVE,
    cleared,
    has_work_under_way,
    last_turn_of,
    patiently,
    ring,
    running_since,
    stands_still_since,
    start_anew,
    start_answering,
    status_of,
)
from endpoints.timers import every
from orchestrators.names import gate_instance, notices_of, question_instance

BROKEN_OFF = "The work on this question was broken off: ask it again."

ANNOUNCED_SECONDS = 15.0
STALLED_SECONDS = 30.0
"""How long a run sees to either list: together less than the minute after which the next begins."""

DEAF_AFTER = timedelta(minutes=15)
"""A gate is rung every minute. Azure Storage hides a killed host's messages for five by default."""

DEAD_AFTER = timedelta(hours=1)
"""A step takes half an hour at most (`functionTimeout`), a pause between two twenty minutes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunEnd:
    """Where a run ended in both lists; None at the end of one.

    The next run goes on there, so that what can't be seen to holds nothing up that stands behind.
    """

    announced: str | None = None
    stalled: str | None = None


blueprint = df.Blueprint()

_taken_up_to: WeakKeyDictionary[Index, RunEnd] = WeakKeyDictionary()
"""Where in the lists of an index the last run ended."""

_log = logging.getLogger(__name__)


@every(blueprint, "0 * * * * *")
async def reconcile(app: Services, client: df.DurableOrchestrationClient) -> None:
    """Bring index rows up to date, start what never began, and ring what was not heard.

    Running it twice, or twice at once, is safe: every repair is one that changes nothing where
    nothing is amiss.
    """
    before = app.clock() - timedelta(seconds=app.settings.reconcile_after_seconds)
    index = app.operations.index

    async def see_to(row: Stalled) -> None:
        operation = await app.operations.shown(row.tenant, row.operation_id)
        if operation:
            await app.notifier.warn_of_ledger(operation)
        if operation and not operation.closed and is_known(operation.kind):
            await mend(app, client, operation, before)

    ended = _taken_up_to.get(index, RunEnd())
    announced = await show_announced(app.operations, before, ended.announced)
    stalled = ListRound(index.stalled(before, after=ended.stalled), see_to)
    await stalled.run(STALLED_SECONDS)
    _taken_up_to[index] = RunEnd(announced=announced, stalled=_end_of(stalled))


async def show_announced(
    operations: Operations, before: datetime, after: str | None, seconds: float = ANNOUNCED_SECONDS
) -> str | None:
    """Write the index rows that were announced before a moment (UTC), and not written.

    Args:
        operations: all of them.
        before: the moment.
        after: where the last run ended, None to begin.
        seconds: how long to take.

    Returns:
        Where this run ended, None at the end of the list.
    """

    async def refresh(left: Announcement) -> None:
        await operations.refresh(left.tenant, left.operation_id, left.token)

    announced = ListRound(operations.index.announced_before(before, after=after), refresh)
    await announced.run(seconds)
    return _end_of(announced)


def _end_of(taken: ListRound[Announcement] | ListRound[Stalled]) -> str | None:
    return None if taken.ended or not taken.last else taken.last.position


async def mend(
    app: Services, client: df.DurableOrchestrationClient, operation: Operation, before: datetime
) -> None:
    """Do what was left undone since a moment (UTC), for the operation itself and its questions."""
    due = moves_by_itself_from(summarise(operation))
    if due and due <= before:
        await move_on(app, client, operation, before)
    if app.notifier.has_news(operation) and not needs_operator(operation):
        # Whoever was to pass that on was lost; a notice that is reserved is no news any more.
        work = Work(tenant=operation.tenant, operation_id=operation.id)
        await patiently(client.signal_entity(*notices_of(operation.id), to_json(work)))
    for question in open_questions(operation):
        if question.at <= before:
            await have_answered(app, client, operation, question)


async def have_answered(
    app: Services, client: df.DurableOrchestrationClient, operation: Operation, question: Question
) -> None:
    """Start the orchestration of a question if it never began; if it is over, so is the question.

    An orchestration that ended without an answer was broken from outside, or could not work for
    minutes. To begin it again and again could cost a model call each time, without anybody asking.
    """
    instance = question_instance(operation.id, question.id)
    status = await status_of(client, instance)
    if status is None:
        await start_answering(client, operation, question)
    elif status not in ALIVE:
        await app.operations.change(
            operation.tenant,
            operation.id,
            lambda state, now: fail_question(state, question.id, BROKEN_OFF, now),
        )
    elif await is_dead(client, instance, question.at, app.clock() - DEAD_AFTER):
        await end(client, instance)


async def move_on(
    app: Services, client: df.DurableOrchestrationClient, operation: Operation, before: datetime
) -> None:
    """Do what an operation needs whose orchestration should have gone on before a moment (UTC).

    Whoever can end an orchestration has no say in what becomes of the operation: its story is told
    again until the ledger says that it is over.
    """
    now = app.clock()
    status = await status_of(client, operation.id)
    if status not in ALIVE:
        await start_again(client, operation)
    elif await has_lost_its_way(client, operation, now):
        await end(client, operation.id)
    elif operation.current:
        await wake_gate(client, operation, operation.current, before, now)


async def start_again(client: df.DurableOrchestrationClient, operation: Operation) -> None:
    """Start an orchestration that never began, was ended from outside, or waits for no more.

    It reads what was done from the ledger, so nothing is paid for or asked again. What is left of
    it, and of gates that it will start, is removed first.
    """
    version = operation.current.version if operation.current else 1
    while await status_of(client, gate := gate_instance(operation.id, version)):
        if not await cleared(client, gate):
            return
        version += 1
    _log.warning("%s is started by the reconciler", operation.id)
    await start_anew(client, operation)


async def has_lost_its_way(
    client: df.DurableOrchestrationClient, operation: Operation, now: datetime
) -> bool:
    """Return whether an orchestration is alive, and nothing will ever wake it.

    Backends lose work, and a task hub that was restored knows what was true at another time. An
    orchestration that has steps done has a turn at least after each, and after each pause. One
    that waits for a decision waits at a gate, and is dead if that isn't there.
    """
    due = moves_by_itself_from(summarise(operation))
    current = operation.current
    if due is None or current is None or current.status != "pending":
        return await is_dead(client, operation.id, due, now - DEAD_AFTER)
    if await status_of(client, gate_instance(operation.id, current.version)) in ALIVE:
        return False
    return await is_dead(client, operation.id, due, now - DEAF_AFTER)


async def is_dead(
    client: df.DurableOrchestrationClient, instance: str, due: datetime | None, before: datetime
) -> bool:
    """Return whether an instance with work due at one moment had no turn until another (UTC)."""
    if due is None or due > before:
        return False
    still = await stands_still_since(client, instance)
    return still is not None and still <= before


async def wake_gate(
    client: df.DurableOrchestrationClient,
    operation: Operation,
    current: Proposal,
    before: datetime,
    now: datetime,
) -> None:
    """Ring the gate again, or end one that should have gone on, and did not.

    An event that the SDK can't decode and that came before the gate's first wait leaves it waiting
    for its timer, whatever else comes. The operation starts another one in its place.
    """
    gate = gate_instance(operation.id, current.version)
    due, long_ago = moves_by_itself_from(summarise(operation)), now - DEAF_AFTER
    if (
        await _is_deaf(client, gate, due, before)
        or await is_dead(client, gate, due, long_ago)
        or await _gets_nowhere(client, gate, due, long_ago)
    ):
        await end(client, gate)
    else:
        await ring(client, operation, current.version)


async def _is_deaf(
    client: df.DurableOrchestrationClient, gate: str, due: datetime | None, before: datetime
) -> bool:
    """Return whether a gate was woken since it should have gone on, and did nothing."""
    woken = await last_turn_of(client, gate)
    if woken is None or due is None or not due < woken <= before:
        return False
    return not await has_work_under_way(client, gate)


async def _gets_nowhere(
    client: df.DurableOrchestrationClient, gate: str, due: datetime | None, before: datetime
) -> bool:
    """Return whether a gate should long have gone on, and is at nothing that it began since.

    A backend may have lost the activity that it waits for. As each ring gives it a turn, it never
    seems dead.
    """
    if due is None or due > before:
        return False
    began = await running_since(client, gate)
    if began is None or began > before:
        return False
    return not await has_work_under_way(client, gate, since=before)


async def end(client: df.DurableOrchestrationClient, instance: str) -> None:
    """End an instance that does not go on, so that another one takes its place."""
    _log.warning("%s does not go on and is terminated", instance)
    await patiently(client.terminate(instance, "It does not go on."))
