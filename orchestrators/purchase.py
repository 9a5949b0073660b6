"""The story of a purchase: the order is made up, people decide, it is placed once."""

from __future__ import annotations

import azure.durable_functions as df

from orchestrators.approval import approved_version, until_closed
from orchestrators.inputs import OperationInput
from orchestrators.names import PREPARE_ORDER, SUBMIT_ORDER
from orchestrators.work import Context, Story, insist, work

blueprint = df.Blueprint()


@blueprint.orchestration_trigger(context_name="context")
def purchase(context: Context) -> Story:
    """Make an order up, have it decided, place it if approved, and close the operation."""
    return (yield from until_closed(context, place_what_is_approved))


def place_what_is_approved(context: Context, order: OperationInput) -> Story:
    """Everything between the request and the closing."""
    yield from work(context, PREPARE_ORDER, order)
    if approved := (yield from approved_version(context, order)):
        yield from insist(context, SUBMIT_ORDER, approved)
