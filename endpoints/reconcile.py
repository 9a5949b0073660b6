"""Every minute, mend what a crash left between the ledger, the index and the orchestrations."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import azure.durable_functions as df
import azure.functions as func
from azure.durable_functions import OrchestrationRuntimeStatus as Status

from countersign.approvals import rules
from countersign.approvals.operation import Operation
from countersign.wiring import Services, services
from endpoints.runtime import ALIVE, ring, start_orchestration, status_of
from orchestrators.names import gate_instance

blueprint = df.Blueprint()

_log = logging.getLogger(__name__)


@blueprint.timer_trigger(schedule="0 * * * * *", arg_name="timer")
@blueprint.durable_client_input(client_name="client")
async def reconcile(timer: func.TimerRequest, client: df.DurableOrchestrationClient) -> None:
    """Bring index rows up to date, start what never began, and ring what was not heard.

    Running it twice, or twice at once, is safe: every repair is one that changes nothing where
    nothing is amiss.
    """
    app = services()
    before = app.clock() - timedelta(seconds=app.settings.reconcile_after_seconds)
    index = app.operations.index
    async for left in index.announced_before(before):
        with one_fault_aside(left.operation_id):
            await app.operations.refresh(left.tenant, left.operation_id, left.token)
    async for row in index.stalled(before):
        with one_fault_aside(row.operation_id):
            operation = await app.operations.load(row.tenant, row.operation_id)
            if operation and not operation.closed:
                await move_on(app, client, operation)


@contextmanager
def one_fault_aside(operation_id: str) -> Iterator[None]:
    """Keep what is wrong with one operation from holding up the others."""
    try:
        yield
    except Exception:  # noqa: BLE001 - the edge of the process, once for each operation
        _log.exception("%s could not be mended", operation_id)


async def move_on(
    app: Services, client: df.DurableOrchestrationClient, operation: Operation
) -> None:
    """Do what an operation needs whose orchestration should have gone on by itself."""
    status = await status_of(client, operation.id)
    if status in {Status.Terminated, Status.Canceled}:
        await give_up(app, operation)
    elif status not in ALIVE:
        await start_again(client, operation)
    elif operation.current:
        await ring(client, operation.id, operation.current.version, operation.sequence)


async def start_again(client: df.DurableOrchestrationClient, operation: Operation) -> None:
    """Start an orchestration that never began, or whose instance was broken from outside.

    It reads what was done from the ledger, so nothing is paid for or asked again. A gate that is
    still alive is ended first, because the new orchestration will start one of the same name.
    """
    current = operation.current
    gate = gate_instance(operation.id, current.version) if current else None
    if gate and await status_of(client, gate) in ALIVE:
        _log.warning("%s outlived its orchestration and is ended", gate)
        await client.terminate(gate, "its orchestration is gone")
    else:
        _log.warning("%s is started by the reconciler", operation.id)
        await start_orchestration(client, operation)


async def give_up(app: Services, operation: Operation) -> None:
    """Close an operation whose orchestration an operator ended."""
    outcome = "write_unknown" if operation.claim else "failed"
    reason = "Its orchestration was ended by an operator."
    await app.operations.change(
        operation.tenant, operation.id, lambda state, now: rules.close(state, outcome, reason, now)
    )
