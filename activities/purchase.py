"""The two ends of a purchase: the order is made up, and it is placed."""

from __future__ import annotations

import azure.durable_functions as df

from activities.failures import contained
from activities.traces import traced
from countersign.operations.endings import Answer
from countersign.operations.publication import publish
from countersign.purchases.ordering import prepare
from countersign.wiring import services
from orchestrators.inputs import OperationInput, VersionInput

blueprint = df.Blueprint()


@blueprint.activity_trigger(input_name="order")
@contained
@traced
async def prepare_order(order: OperationInput) -> Answer:
    """Check the request and make its order the first version; a repeat finds it made."""
    return await prepare(services(), order["tenant"], order["operation_id"])


@blueprint.activity_trigger(input_name="order")
@contained
@traced
async def submit_order(order: VersionInput) -> Answer:
    """Place the approved order; running it twice places it once, or says that nobody can tell."""
    return await publish(services(), order["tenant"], order["operation_id"], order["version"])
