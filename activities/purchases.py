"""What is done for an order before people decide: it is made up of the request and offered."""

from __future__ import annotations

import azure.durable_functions as df

from activities.proposals import offered
from activities.step import step
from countersign.operations import preparing
from countersign.services import Services
from countersign.steps.records import Result, VersionWork, Work

blueprint = df.Blueprint()


@step(blueprint)
async def prepare_order(app: Services, work: Work) -> Result:
    """Check the request, and make its order the first version that is offered for approval.

    Running it twice makes and opens it once.
    """
    made = await preparing.prepare_order(app, work)
    return await offered(app, VersionWork.of(work, version=1), made)
