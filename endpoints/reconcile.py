"""Every minute, mend what a crash left between the ledger, the index and the orchestrations."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import azure.durable_functions as df
from azure.durable_functions import OrchestrationRuntimeStatus as Status

from countersign.approvals import rules
from countersign.approvals.operation import Operation, Proposal, Question
from countersign.approvals.questions import fail_question
from countersign.approvals.standing import open_questions
from countersign.kinds.registry import is_known, kind_named
from countersign.operations.repository import Changed
from countersign.operations.summary import summarise
from countersign.services import Services
from countersign.steps.records import Work, to_json
from countersign.stores.index import moves_by_itself_from
from endpoints.runtime import (
    ALIVE,
    has_work_under_way,
    last_turn_of,
    patiently,
    ring,
    start_answering,
    start_orchestration,
    status_of,
)
from endpoints.timers import every
from orchestrators.names import gate_instance, notices_of, question_instance

BROKEN_OFF = "The work on this question was broken off: ask it again."

blueprint = df.Blueprint()

_log = logging.getLogger(__name__)


@every(blueprint, "0 * * * * *")
async def reconcile(app: Services, client: df.DurableOrchestrationClient) -> None:
    """Bring index rows up to date, start what never began, and ring what was not heard.

    Running it twice, or twice at once, is safe: every repair is one that changes nothing where
    nothing is amiss.
    """
    before = app.clock() - timedelta(seconds=app.settings.reconcile_after_seconds)
    index = app.operations.index
    async for left in index.announced_before(before):
        with one_fault_aside(left.operation_id):
            await app.operations.refresh(left.tenant, left.operation_id, left.token)
    async for row in index.stalled(before):
        with one_fault_aside(row.operation_id):
            operation = await app.operations.load(row.tenant, row.operation_id)
            if operation and not operation.closed and is_known(operation.kind):
                await mend(app, client, operation, before)


@contextmanager
def one_fault_aside(operation_id: str) -> Iterator[None]:
    """Keep what is wrong with one operation from holding up the others."""
    try:
        yield
    except Exception:  # noqa: BLE001 - the edge of the process, once for each operation
        _log.exception("%s was left as it is", operation_id)


async def mend(
    app: Services, client: df.DurableOrchestrationClient, operation: Operation, before: datetime
) -> None:
    """Do what was left undone since a moment (UTC), for the operation itself and its questions."""
    due = moves_by_itself_from(summarise(operation))
    if due and due <= before:
        await move_on(app, client, operation, before)
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
    status = await status_of(client, question_instance(operation.id, question.id))
    if status is None:
        await start_answering(client, operation, question)
    elif status not in ALIVE:
        await app.operations.change(
            operation.tenant,
            operation.id,
            lambda state, now: fail_question(state, question.id, BROKEN_OFF, now),
        )


async def move_on(
    app: Services, client: df.DurableOrchestrationClient, operation: Operation, before: datetime
) -> None:
    """Do what an operation needs whose orchestration should have gone on before a moment (UTC).

    Whoever can end an orchestration has no say in what people approved: that is carried out.
    """
    status = await status_of(client, operation.id)
    if status in {Status.Terminated, Status.Canceled} and not is_approved(operation):
        await give_up(app, client, operation)
    elif status not in ALIVE:
        await start_again(client, operation)
    elif operation.current:
        await wake_gate(client, operation, operation.current, before)


def is_approved(operation: Operation) -> bool:
    """Whether the newest version was approved, so that it is to be carried out."""
    return operation.current is not None and operation.current.status == "approved"


async def start_again(client: df.DurableOrchestrationClient, operation: Operation) -> None:
    """Start an orchestration that never began, was broken from outside, or waits for no more.

    It reads what was done from the ledger, so nothing is paid for or asked again. A gate that is
    still alive is ended first, because the new orchestration will start one of the same name.
    """
    current = operation.current
    gate = gate_instance(operation.id, current.version) if current else None
    if gate and await status_of(client, gate) in ALIVE:
        _log.warning("%s outlived its orchestration and is ended", gate)
        await patiently(client.terminate(gate, "its orchestration is gone"))
    else:
        _log.warning("%s is started by the reconciler", operation.id)
        await start_orchestration(client, operation)


async def wake_gate(
    client: df.DurableOrchestrationClient, operation: Operation, current: Proposal, before: datetime
) -> None:
    """Ring the gate again, or end one that was woken since it should have gone on, and did not.

    An event that the SDK can't decode and that came before the gate's first wait leaves it waiting
    for its timer, whatever else comes. The operation starts another one in its place.
    """
    gate = gate_instance(operation.id, current.version)
    if await _is_deaf(client, operation, gate, before):
        _log.warning("%s does not respond to events and is terminated", gate)
        await patiently(client.terminate(gate, "It does not respond to events."))
    else:
        await ring(client, operation.id, current.version, operation.sequence)


async def _is_deaf(
    client: df.DurableOrchestrationClient, operation: Operation, gate: str, before: datetime
) -> bool:
    woken, due = await last_turn_of(client, gate), moves_by_itself_from(summarise(operation))
    if woken is None or due is None or not due < woken <= before:
        return False
    return not await has_work_under_way(client, gate)


async def give_up(
    app: Services, client: df.DurableOrchestrationClient, operation: Operation
) -> None:
    """Close an operation whose orchestration an operator ended."""
    reason = "Its orchestration was ended by an operator."
    closed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: rules.close(
            state, "failed", reason, now, written=kind_named(state.kind).outcome
        ),
    )
    if isinstance(closed, Changed) and app.notifier.has_news(closed.operation):
        work = Work(tenant=operation.tenant, operation_id=operation.id)
        await patiently(client.signal_entity(*notices_of(operation.id), to_json(work)))
