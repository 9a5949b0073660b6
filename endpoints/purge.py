"""Every hour, remove from the durable runtime what is left of operations that ended long ago."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import azure.durable_functions as df
from azure.durable_functions import EntityId

from countersign.approvals.operation import Operation
from countersign.approvals.questions import session_key
from countersign.operations.forgetting import forget_what_is_due
from countersign.services import Services
from countersign.stores.index import Key
from endpoints.rounds import ListRound
from endpoints.runtime import cleared, patiently
from endpoints.timers import every
from orchestrators.names import conversation, gate_instance, notices_of, question_instance

LONGEST_RUN_SECONDS = 240.0
"""After that the next run goes on: a function may take ten minutes, and a clean stop needs some."""

OVER = "Its operation is closed."

blueprint = df.Blueprint()


@every(blueprint, "0 17 * * * *")
async def purge_instances(app: Services, client: df.DurableOrchestrationClient) -> None:
    """Purge the instances of operations that are closed, and unchanged, for as long as is set.

    And erase names, texts and artifacts of those that are kept no longer. Doing it twice, or twice
    at once, is safe, and whatever one run leaves the next one takes up: an operation is noted as
    purged after the last of its instances is gone.
    """
    if app.settings.purge_after_days is None:
        return
    before = app.clock() - timedelta(days=app.settings.purge_after_days)

    async def purge(left: Key) -> None:
        await _purge(app, client, left, before)

    await ListRound(app.operations.index.unpurged(before), purge).run(LONGEST_RUN_SECONDS)


async def _purge(
    app: Services, client: df.DurableOrchestrationClient, left: Key, before: datetime
) -> None:
    operation = await app.operations.load(*left)
    # The index follows the ledger, and what it says may be older.
    if operation is None or not operation.closed:
        return
    if operation.updated_at > before and not operation.erased:
        return
    gone = [await cleared(client, each, OVER) for each in orchestrations_of(operation)]
    if not all(gone):
        return
    for entity in entities_of(operation):
        # It has no status to look at: in Azure Storage it runs for ever, also when it is empty.
        await patiently(client.purge_instance_history(entity))
    due = await forget_what_is_due(app, operation)
    until = before + (due - app.clock()) if due else None
    await app.operations.index.purged(*left, before, until)


def orchestrations_of(operation: Operation) -> Sequence[str]:
    """All orchestrations that an operation can have, whether they were ever started or not."""
    return [
        *(question_instance(operation.id, each.id) for each in operation.questions),
        *(gate_instance(operation.id, each.version) for each in operation.proposals),
        operation.id,
    ]


def entities_of(operation: Operation) -> Sequence[str]:
    """Return the instances of all entities of an operation: its notices and conversations."""
    notices, _ = notices_of(operation.id)
    sessions = dict.fromkeys(session_key(operation, each) for each in operation.questions)
    return [EntityId.get_scheduler_id(each) for each in (notices, *map(conversation, sessions))]
