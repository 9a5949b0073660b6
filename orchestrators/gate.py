"""The durable wait for a person: look at the ledger, wait for a ring or a timer, look again."""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime, timedelta
from typing import Any

import azure.durable_functions as df

from orchestrators.names import APPROVAL_DECISION, SETTLE_PROPOSAL

LONGEST_TIMER = timedelta(days=5)
"""Azure Storage splits timers longer than six days, and a split one can't be cancelled."""

gates = df.Blueprint()


@gates.orchestration_trigger(context_name="context")
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
    proposal = context.get_input()
    outcome = yield context.call_activity(SETTLE_PROPOSAL, proposal)
    if outcome["next"] == "wait":
        ring = context.wait_for_external_event(APPROVAL_DECISION)
        wake_at = datetime.fromisoformat(outcome["wake_at"])
        timer: Any = context.create_timer(
            min(wake_at, context.current_utc_datetime + LONGEST_TIMER)
        )
        yield context.task_any([ring, timer])
        if not timer.is_completed:
            timer.cancel()
        outcome = yield context.call_activity(SETTLE_PROPOSAL, proposal)
    if outcome["next"] == "wait":
        context.continue_as_new(proposal)
        return None
    return outcome
