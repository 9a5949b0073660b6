"""What every story has from its first version on: it is decided, carried out once, and closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import azure.durable_functions as df

from orchestrators.inputs import EndingInput, OperationInput, VersionInput
from orchestrators.names import (
    APPROVAL_GATE,
    CLOSE_OPERATION,
    OPEN_PROPOSAL,
    gate_instance,
    notices_of,
)
from orchestrators.work import PATIENCE, Context, GivenUp, Held, Stopped, Story, insist

GATE_RESTARTS = df.RetryOptions(
    first_retry_interval_in_milliseconds=3_000, max_number_of_attempts=20
)
"""A payload that is not JSON fails the gate inside the SDK; the next attempt reads the ledger.

Azure Storage cuts the pause to two seconds: so late a decision is noticed that falls into it, and
twenty poisoned events in a row take most of a minute to use all attempts up. The operation's
orchestration fails then, and the reconciler starts it again once there is something to carry out.
"""


def until_closed(context: Context, story: Callable[[Context, OperationInput], Story]) -> Story:
    """Tell a story and close its operation, whichever way it went.

    An operation that waits for an operator is left as it is: the reconciler, or a person who asks
    for it, starts its story anew. So no code of today is bound by a wait that may last for weeks.

    Input of the orchestration: tenant and operation_id; everything else is in the ledger. Output:
    the outcome, which is "needs_operator" where there is none yet.
    """
    order = cast(OperationInput, context.get_input())
    ending: EndingInput = {**order}
    try:
        yield from story(context, order)
    except Held as held:
        return told(context, order, {"outcome": "needs_operator", "news": held.news})
    except GivenUp as given_up:
        ending = {**order, "given_up": True, "reason": given_up.reason}
    except Stopped as stopped:
        ending = {**order, "ends_as": stopped.outcome, "reason": stopped.reason}
    closed = yield context.call_activity_with_retry(CLOSE_OPERATION, PATIENCE, ending)
    return told(context, order, closed)


def told(context: Context, order: OperationInput, closed: dict[str, Any]) -> dict[str, Any]:
    """How an instance ends, once it is on its way to those who have to hear of it."""
    if closed.get("news"):
        context.signal_entity(*notices_of(order["operation_id"]), order)
    return {"outcome": closed["outcome"]}


def approved_version(
    context: Context, order: OperationInput, revise: Callable[[VersionInput], Story] | None = None
) -> Story:
    """Open version after version until one has an outcome that needs no further one.

    Args:
        context: the orchestration's.
        order: tenant and operation_id.
        revise: makes the next version, for which a person asked in words or with a text; None where
            a correction is the next version as it is.

    Returns:
        The order with the version that was approved; None if none was.
    """
    version, step = 1, "open"
    while step != "close":
        proposal: VersionInput = {**order, "version": version}
        yield from insist(context, OPEN_PROPOSAL, proposal)
        outcome = yield context.call_sub_orchestrator_with_retry(
            APPROVAL_GATE, GATE_RESTARTS, proposal, gate_instance(order["operation_id"], version)
        )
        step = outcome["next"]
        if step == "publish":
            return proposal
        version += 1
        if step == "revise" and revise:
            yield from revise({**order, "version": version})
    return None
