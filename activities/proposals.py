"""From the first version on: open, settle, carry out what is approved, and close."""

from __future__ import annotations

import azure.durable_functions as df

from activities.step import step
from countersign.operations import proposing
from countersign.operations.writing import write_approved
from countersign.services import Services
from countersign.steps.records import (
    ClosingWork,
    Done,
    Result,
    Stop,
    VersionWork,
    Wait,
)

blueprint = df.Blueprint()


async def offered(app: Services, work: VersionWork, made: Done | Wait | Stop) -> Result:
    """Offer the version that a step has made; whatever else came of the step is the result."""
    if isinstance(made, Done):
        return await proposing.open_version(app, work, again=True)
    return made


@step(blueprint)
async def open_proposal(app: Services, work: VersionWork) -> Result:
    """Offer a version for approval; running it twice opens it once, the first deadline stands."""
    return await proposing.open_version(app, work)


@step(blueprint)
async def settle_proposal(app: Services, work: VersionWork) -> Result:
    """Say what the ledger holds about a version, after recording what time has made true.

    Running it twice is safe: an expiry and each reminder are recorded once, the rest is reading.
    """
    return await proposing.settle_version(app, work)


@step(blueprint)
async def publish_report(app: Services, work: VersionWork) -> Result:
    """Write the approved text to its destination, and close the operation.

    Running it twice writes the text once.
    """
    return await write_approved(app, work)


@step(blueprint)
async def submit_order(app: Services, work: VersionWork) -> Result:
    """Place the approved order, and close the operation.

    Running it twice places the order once, or says that nobody can tell.
    """
    return await write_approved(app, work)


@step(blueprint)
async def close_operation(app: Services, work: ClosingWork) -> Result:
    """End an operation, or leave its work to an operator where it was given up.

    Running it twice leaves the first ending and its reason.
    """
    return await proposing.close_operation(app, work)
