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


class Held(Exception):
    """The work waits for an operator, and the ledger says why.

    Nothing of this instance is needed for that wait: whoever ends it starts the story anew, which
    finds in the ledger all that is done.

    Args:
        news: whether somebody has to hear of it.
    """

    def __init__(self, *, news: bool) -> None:
        super().__init__()
        self.news = news


class GivenUp(Exception):
    """A step failed for so long, for causes that nobody foresaw, that an operator has to look."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Stopped(Exception):
    """The work ends before there is anything to approve: as what, and why."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome: Outcome = outcome
        self.reason = reason


def work(context: Context, activity: str, order: OperationInput) -> Story:
    """Have the team do something; what fails for a day is left to an operator."""
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
    # That the operation ends is said by one of them at most, and counts before any wait.
    for answer in sorted(answers, key=lambda answer: "ends_as" not in answer):
        go_on(answer)


def after_an_outage(context: Context, activity: str, orders: Sequence[OperationInput]) -> Story:
    """Try again, at long intervals, what failed in spite of patience.

    Those of the orders that were carried out are found to be done and cost nothing again.

    Raises:
        GivenUp: it still fails after a day.
    """
    for _ in range(OUTAGE_TRIES):
        yield context.create_timer(context.current_utc_datetime + OUTAGE_PAUSE)
        tasks = [context.call_activity(activity, order) for order in orders]
        # The SDK raises nothing more specific, and the cause is in the host's log.
        with suppress(Exception):
            return (yield context.task_all(tasks))
    raise GivenUp(f"The step {activity} failed for a day; the host's log says why.")


def insist(context: Context, activity: str, order: OperationInput) -> Story:
    """Have something done that must not be given up.

    If it fails even with patience, so does this instance, and the reconciler starts it again.
    """
    return go_on((yield context.call_activity_with_retry(activity, PATIENCE, order)))


def go_on(answer: dict[str, Any]) -> dict[str, Any]:
    """Give the answer back unless it ends the operation, or has it wait.

    Raises:
        Stopped: it ends it.
        Held: it has it wait for an operator.
    """
    if "ends_as" in answer:
        raise Stopped(answer["ends_as"], answer["reason"])
    if "held" in answer:
        raise Held(news=answer["news"])
    return answer
