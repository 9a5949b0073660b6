"""What is done for an order before its first version: it is made up of the request."""

from __future__ import annotations

import azure.durable_functions as df

from activities.step import step
from countersign.operations import preparing
from countersign.services import Services
from countersign.steps.records import Result, Work

blueprint = df.Blueprint()


@step(blueprint)
async def prepare_order(app: Services, work: Work) -> Result:
    """Check the request and make its order the first version; a repeat finds it made."""
    return await preparing.prepare_order(app, work)
