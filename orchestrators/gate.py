"""The durable wait for a person: look at the ledger, wait for a ring or a timer, look again."""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime, timedelta
from typing import Any, cast

import azure.durable_functions as df

from countersign.steps.records import Settled, VersionWork, read, to_json
from orchestrators.names import APPROVAL_DECISION, SETTLE_PROPOSAL, notices_of
from orchestrators.story import PATIENCE

SHORTEST_TIMER = timedelta(seconds=2)
"""Azure Storage cuts what is left of a delay to whole seconds, so that one second is no pause."""

LONGEST_TIMER = timedelta(days=5)
"""Azure Storage splits timers longer than six days, and a split one can't be cancelled."""

blueprint = df.Blueprint()


@blueprint.orchestration_trigger(context_name="context")
def approval_gate(
    context: df.DurableOrchestrationContext,
) -> Generator[Any, Any, dict[str, Any] | None]:
    """Wait until one version has an outcome in the ledger.

    The event's payload is never read, so a forged, early, late, doubled or lost event changes
    nothing but latency. There is one wait per history, because the SDK keeps an event that came
    before its wait for every later wait of that name: instead of waiting again, the gate begins
    again with an empty history.

    Input: tenant, operation_id and version. Output: the answer of `settle_proposal`.
    """
    proposal = read(VersionWork, cast("dict[str, Any]", context.get_input()))
    settled = yield from settle(context, proposal)
    if settled.news:
        context.signal_entity(*notices_of(proposal.operation_id), to_json(proposal))
    if settled.wake_at:
        ring = context.wait_for_external_event(APPROVAL_DECISION)
        timer: Any = context.create_timer(wake_time(context, settled.wake_at))
        yield context.task_any([ring, timer])
        if not timer.is_completed:
            timer.cancel()
        settled = yield from settle(context, proposal)
    if settled.next == "wait":
        context.continue_as_new(to_json(proposal))
        return None
    return to_json(settled)


def settle(
    context: df.DurableOrchestrationContext, proposal: VersionWork
) -> Generator[Any, Any, Settled]:
    """Look at the ledger, and wait for it as long as an outage of minutes takes."""
    said = yield context.call_activity_with_retry(SETTLE_PROPOSAL, PATIENCE, to_json(proposal))
    return read(Settled, said)


def wake_time(context: df.DurableOrchestrationContext, wanted: str) -> datetime:
    """Return the wanted moment (RFC 3339, UTC), within what a timer can do.

    It is at least two seconds ahead, so that a gate that is woken before its time, or whose clock
    differs from the ledger's, looks again and again at a bearable pace until they agree.
    """
    now = context.current_utc_datetime
    return max(now + SHORTEST_TIMER, min(datetime.fromisoformat(wanted), now + LONGEST_TIMER))
