"""The notices of an operation, as an entity: whoever signals it waits for nothing.

An activity would not do. An orchestration ends or begins anew only after all that it called, so a
mail server that doesn't answer would keep a gate from passing an approval on. And an entity carries
its signals out one after the other, so no notice is looked at twice at once.
"""

from __future__ import annotations

import asyncio
import logging

import azure.durable_functions as df

from activities.entities import entity_trigger, in_time
from countersign.steps.records import Work, read
from countersign.wiring import services

blueprint = df.Blueprint()

_log = logging.getLogger(__name__)


@entity_trigger(blueprint, context_name="context")
def notices(context: df.DurableEntityContext) -> None:
    """Tell people what they have to hear about an operation; the entity keeps no state.

    Running it twice is safe: a notice is reserved in the ledger before it is sent, and once only.

    Input: tenant and operation_id.
    """
    try:
        work = read(Work, context.get_input())
        notifying = services().notifier.notify(work.tenant, work.operation_id)
        asyncio.run(in_time(notifying))
    except Exception:  # noqa: BLE001 - the edge of the process: nobody reads a signal's result
        _log.exception("notices of %s were not sent", context.entity_key)
