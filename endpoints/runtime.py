"""What endpoints ask of the durable runtime; the ledger never depends on its answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

import aiohttp
import azure.durable_functions as df
from azure.durable_functions import OrchestrationRuntimeStatus as Status

from countersign.approvals.operation import Operation, Question
from countersign.approvals.questions import session_key
from countersign.kinds.registry import UnknownKind, is_known
from countersign.platform.telemetry import span, traceparent
from countersign.steps.records import SessionWork, Work, to_json
from orchestrators.names import (
    ANSWER_QUESTION,
    APPROVAL_DECISION,
    gate_instance,
    question_instance,
)

T = TypeVar("T")


class RuntimeAway(Exception):
    """The durable runtime does not answer."""


class NoRuntime:
    """A client of a runtime that is not to be used: another hub serves this storage.

    What is recorded here is carried out there, by its reconciler at the latest.
    """

    def __getattr__(self, _name: str) -> Any:
        async def refuse(*_: object, **__: object) -> NoReturn:
            raise RuntimeAway("another task hub serves this storage")

        return refuse


EventDelivery: TypeAlias = Literal["delivered", "pending"]

PATIENCE_SECONDS = 5.0
"""How long a caller waits for the runtime; what it did not take by then the reconciler repeats."""

ENDING_SECONDS = 0.2
"""Between two looks at an orchestration that is about to end."""

ALIVE = frozenset({Status.Pending, Status.Running, Status.Suspended, Status.ContinuedAsNew})

_log = logging.getLogger(__name__)


async def start_orchestration(
    client: df.DurableOrchestrationClient, operation: Operation
) -> EventDelivery:
    """Start the orchestration of an operation; "pending" leaves it to the reconciler.

    It is the story that has the name of the operation's kind; of an unknown kind there is none.
    """
    if not is_known(operation.kind):
        _log.warning("%s is not started: %s", operation.id, UnknownKind(operation.kind))
        return "pending"
    work = Work(tenant=operation.tenant, operation_id=operation.id)
    with span("start_orchestration", operation_id=operation.id) as current:
        delivery = await _start(client, operation.kind, operation.id, work)
        current.set_attribute("countersign.delivery", delivery)
    return delivery


async def start_at_once(
    client: df.DurableOrchestrationClient, operation: Operation
) -> EventDelivery:
    """Start the orchestration of an operation anew that waits for an operator.

    Its last one is over, or about to be: it said why it waits just before it ends.
    """
    try:
        await asyncio.wait_for(_until_over(client, operation.id), PATIENCE_SECONDS)
        return await start_anew(client, operation)
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        _log.warning("%s was not started yet: %s", operation.id, type(error).__name__)
        return "pending"


async def start_anew(client: df.DurableOrchestrationClient, operation: Operation) -> EventDelivery:
    """Start the orchestration of an operation whose last one is over, or never began.

    Where one is alive, another caller was quicker: what that has started is left alone.

    Raises:
        RuntimeAway: the runtime doesn't say what is left of the last one.
    """
    status = await status_of(client, operation.id)
    if status in ALIVE:
        return "delivered"
    if status is not None:
        await patiently(client.purge_instance_history(operation.id))
    return await start_orchestration(client, operation)


async def never_began(client: df.DurableOrchestrationClient, operation: Operation) -> bool:
    """Whether nothing is left, or was ever there, of the orchestration of an open operation."""
    if operation.closed:
        return False
    try:
        return await status_of(client, operation.id) is None
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        _log.warning("nobody knows whether %s began: %s", operation.id, type(error).__name__)
        return False


async def go_on(client: df.DurableOrchestrationClient, operation: Operation) -> EventDelivery:
    """Have an operation's story hear of what somebody recorded, wherever it waits."""
    if operation.closed:
        return "delivered"
    if operation.hold and operation.hold.needs_operator:
        return await start_at_once(client, operation)
    if operation.current:
        return await ring(client, operation, operation.current.version)
    return "delivered"


async def _until_over(client: df.DurableOrchestrationClient, instance_id: str) -> None:
    while await status_of(client, instance_id) in ALIVE:  # noqa: ASYNC110 - it is in a runtime
        await asyncio.sleep(ENDING_SECONDS)


async def start_answering(
    client: df.DurableOrchestrationClient, operation: Operation, question: Question
) -> EventDelivery:
    """Have a question answered; "pending" leaves it to the reconciler."""
    work = SessionWork(
        tenant=operation.tenant,
        operation_id=operation.id,
        question_id=question.id,
        session=session_key(operation, question),
    )
    instance = question_instance(operation.id, question.id)
    with span("start_answering", operation_id=operation.id) as current:
        delivery = await _start(client, ANSWER_QUESTION, instance, work)
        current.set_attribute("countersign.delivery", delivery)
    return delivery


async def _start(
    client: df.DurableOrchestrationClient, orchestrator: str, instance: str, work: Work
) -> EventDelivery:
    # Activities that run on other days, in other processes, find the trace of the request here.
    given = to_json(replace(work, trace=traceparent()))
    try:
        starting = client.start_new(orchestrator, instance_id=instance, client_input=given)
        await patiently(starting)
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        _log.warning("%s was not started yet: %s", instance, type(error).__name__)
        return "pending"
    return "delivered"


async def ring(
    client: df.DurableOrchestrationClient, operation: Operation, version: int
) -> EventDelivery:
    """Wake the gate of a version so that it looks at the ledger; it does anyway, only later.

    After a restore, or if the hub was lost, there is no gate: the operation's orchestration is
    started, and finds in the ledger what was decided.
    """
    with span("ring_gate", operation_id=operation.id, version=version) as current:
        delivery = await _ring(client, operation, gate_instance(operation.id, version))
        current.set_attribute("countersign.delivery", delivery)
    return delivery


async def _ring(
    client: df.DurableOrchestrationClient, operation: Operation, gate: str
) -> EventDelivery:
    told = {"sequence": operation.sequence}
    try:
        await patiently(client.raise_event(gate, APPROVAL_DECISION, told))
    except RuntimeAway as away:
        _log.warning("%s is rung later: %s", gate, away)
        return "pending"
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        return await _not_rung(client, operation, gate, error)
    return "delivered"


async def _not_rung(
    client: df.DurableOrchestrationClient, operation: Operation, gate: str, error: Exception
) -> EventDelivery:
    """Do what follows from a ring that the runtime did not take."""
    try:
        status = await status_of(client, gate)
        if status is Status.Completed:
            return "delivered"
        if status is None and await status_of(client, operation.id) is None:
            _log.warning("%s has no orchestration and is started from its ledger", operation.id)
            return await start_orchestration(client, operation)
    except Exception as another:  # noqa: BLE001 - the SDK raises nothing more specific
        _log.warning("%s is rung later: nobody knows its status: %s", gate, another)
        return "pending"
    found = status.name if status else "not started"
    _log.warning("%s is rung later: it is %s (%s)", gate, found, error)
    return "pending"


async def status_of(client: df.DurableOrchestrationClient, instance_id: str) -> Status | None:
    """Return the status of an instance, None if there is none."""
    return (await patiently(client.get_status(instance_id))).runtime_status


async def cleared(
    client: df.DurableOrchestrationClient,
    instance_id: str,
    why: str = "Its orchestration is gone.",
) -> bool:
    """Return whether nothing is left of an instance; one still running is only ended.

    What a runtime does with a start under the id of an ended instance differs, so none is started
    under such an id before what is left of it is gone.
    """
    status = await status_of(client, instance_id)
    if status in ALIVE:
        _log.warning("%s still runs and is terminated: %s", instance_id, why)
        await patiently(client.terminate(instance_id, why))
        return False
    if status is not None:
        await patiently(client.purge_instance_history(instance_id))
    return True


async def stands_still_since(
    client: df.DurableOrchestrationClient, instance_id: str
) -> datetime | None:
    """Since when an instance that runs, or is about to, had no turn (UTC); None for all others."""
    return await _last_turn(client, instance_id, {Status.Pending, Status.Running})


async def last_turn_of(client: df.DurableOrchestrationClient, instance_id: str) -> datetime | None:
    """Return when a running instance had its last turn (UTC); None if it doesn't run."""
    return await _last_turn(client, instance_id, {Status.Running})


async def _last_turn(
    client: df.DurableOrchestrationClient, instance_id: str, among: Collection[Status]
) -> datetime | None:
    status = await patiently(client.get_status(instance_id))
    if status.runtime_status not in among or status.last_updated_time is None:
        return None
    return status.last_updated_time.astimezone(timezone.utc)


async def running_since(client: df.DurableOrchestrationClient, instance_id: str) -> datetime | None:
    """Return when the present execution of an instance began (UTC); None if it doesn't run."""
    status = await patiently(client.get_status(instance_id))
    if status.runtime_status is not Status.Running or status.created_time is None:
        return None
    return status.created_time.astimezone(timezone.utc)


async def has_work_under_way(
    client: df.DurableOrchestrationClient, instance_id: str, since: datetime | None = None
) -> bool:
    """Return whether an activity of an instance has no result yet; no, where no history can be had.

    It may wait long until it is carried out, and its result wakes the instance then.

    Args:
        client: of the runtime.
        instance_id: the instance.
        since: what was asked for before this moment (UTC) is lost and does not count.
    """
    status = await patiently(client.get_status(instance_id, show_history=True))
    # The SDK keeps it by its name in the answer. What has a result is told with the result alone.
    events: Sequence[Mapping[str, object]] = getattr(status, "historyEvents", None) or ()
    asked_for = [event for event in events if event.get("EventType") == "TaskScheduled"]
    # Their times are of UTC, and to the second they sort by time whatever follows.
    first = since.isoformat(timespec="seconds")[:19] if since else ""
    return any(str(event.get("Timestamp", first))[:19] >= first for event in asked_for)


async def patiently(asking: Awaitable[T]) -> T:
    """Wait for an answer of the runtime, for as long as a caller may wait.

    Raises:
        RuntimeAway: it takes longer, or can't be reached.
    """
    try:
        return await asyncio.wait_for(asking, PATIENCE_SECONDS)
    except (asyncio.TimeoutError, aiohttp.ClientError, OSError) as error:
        raise RuntimeAway(f"the durable runtime is away ({type(error).__name__})") from error
