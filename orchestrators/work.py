"""How stories have something done: with patience, and until the ledger wants no more of it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, TypeAlias

import azure.durable_functions as df

from countersign.approvals.events import Outcome
from orchestrators.inputs import OperationInput

Context: TypeAlias = df.DurableOrchestrationContext
Story: TypeAlias = Generator[Any, Any, Any]

PATIENCE = df.RetryOptions(first_retry_interval_in_milliseconds=10_000, max_number_of_attempts=30)
"""For work that may meet a busy model or a full disk; what can't get better is never retried."""

OUTAGE_PAUSE = timedelta(minutes=20)
OUTAGE_TRIES = 72
"""A model or a store may be away for a day before the work that needs it is given up."""


class Stopped(Exception):
    """The work ends before there is anything to approve: as what, and why."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome: Outcome = outcome
        self.reason = reason


def work(context: Context, activity: str, order: OperationInput) -> Story:
    """Have the team do something; what fails for a day ends the operation as failed."""
    try:
        answer = yield context.call_activity_with_retry(activity, PATIENCE, order)
    except Exception:  # noqa: BLE001 - the SDK raises nothing more specific
        [answer] = yield from after_an_outage(context, activity, [order])
    return go_on(answer)


def work_side_by_side(context: Context, activity: str, orders: Sequence[OperationInput]) -> Story:
    """Have the team do something for several orders at once."""
    tasks = [context.call_activity_with_retry(activity, PATIENCE, order) for order in orders]
    try:
        answers = yield context.task_all(tasks)
    except Exception:  # noqa: BLE001 - the SDK raises nothing more specific
        answers = yield from after_an_outage(context, activity, orders)
    for answer in answers:
        go_on(answer)


def after_an_outage(context: Context, activity: str, orders: Sequence[OperationInput]) -> Story:
    """Try again, at long intervals, what failed in spite of patience.

    Those of the orders that were carried out are found to be done and cost nothing again.

    Raises:
        Stopped: it still fails after a day.
    """
    for _ in range(OUTAGE_TRIES):
        yield context.create_timer(context.current_utc_datetime + OUTAGE_PAUSE)
        tasks = [context.call_activity(activity, order) for order in orders]
        # The SDK raises nothing more specific, and the cause is in the host's log.
        with suppress(Exception):
            return (yield context.task_all(tasks))
    raise given_up(activity)


def insist(context: Context, activity: str, order: OperationInput) -> Story:
    """Have something done that must not be given up.

    If it fails even with patience, so does this instance, and the reconciler starts it again.
    """
    return go_on((yield context.call_activity_with_retry(activity, PATIENCE, order)))


def go_on(answer: dict[str, Any]) -> dict[str, Any]:
    """Give the answer back unless it ends the operation.

    Raises:
        Stopped: it does.
    """
    if "ends_as" in answer:
        raise Stopped(answer["ends_as"], answer["reason"])
    return answer


def given_up(activity: str) -> Stopped:
    """The end of an operation whose work can't be done; the cause stays in the host's log."""
    reason = f"The step {activity} failed for a day; the host's log says why."
    return Stopped("failed", reason)
