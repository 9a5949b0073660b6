"""The story of a purchase: the order is made up, people decide, it is placed once."""

from __future__ import annotations

from typing import Any

import azure.durable_functions as df

from countersign.steps.records import Closed, Made, Work
from orchestrators.names import PREPARE_ORDER, SUBMIT_ORDER
from orchestrators.story import (
    Context,
    Story,
    approved_version,
    perform,
    until_closed,
    written,
)

blueprint = df.Blueprint()


@blueprint.orchestration_trigger(context_name="context")
def purchase(context: Context) -> Story[dict[str, Any]]:
    """Make an order up, have it decided, place it if approved, and close the operation."""
    return (yield from until_closed(context, place_what_is_approved))


def place_what_is_approved(context: Context, work: Work) -> Story[Closed | None]:
    """Everything between the request and the closing."""
    made = yield from perform(context, PREPARE_ORDER, work, Made)
    if approved := (yield from approved_version(context, work, made=made)):
        return (yield from written(context, SUBMIT_ORDER, approved))
    return None
