"""The consequential write: claimed, checked, done once, and confirmed by a receipt."""

from __future__ import annotations

import azure.durable_functions as df

from activities.failures import contained
from activities.traces import traced
from countersign.operations.endings import Answer
from countersign.operations.publication import publish
from countersign.wiring import services
from orchestrators.inputs import VersionInput

blueprint = df.Blueprint()


@blueprint.activity_trigger(input_name="order")
@contained
@traced
async def publish_report(order: VersionInput) -> Answer:
    """Write the approved text to its destination; running it twice writes it once."""
    return await publish(services(), order["tenant"], order["operation_id"], order["version"])
