"""The story of a research request: the team works, a person decides, the report goes out."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from datetime import timedelta
from typing import Any, TypeAlias, cast

import azure.durable_functions as df

from orchestrators.names import (
    APPROVAL_GATE,
    CHECK_FACTS,
    CLOSE_OPERATION,
    OPEN_PROPOSAL,
    PLAN_RESEARCH,
    PUBLISH_REPORT,
    RESEARCH_SUBTOPIC,
    WRITE_DRAFT,
    gate_instance,
    notices_of,
)

Context: TypeAlias = df.DurableOrchestrationContext
Story: TypeAlias = Generator[Any, Any, Any]

ROUNDS = 3
"""Research is checked once and may be done again twice."""

PATIENCE = df.RetryOptions(first_retry_interval_in_milliseconds=10_000, max_number_of_attempts=30)
"""For work that may meet a busy model or a full disk; what can't get better is never retried."""

OUTAGE_PAUSE = timedelta(minutes=20)
OUTAGE_TRIES = 72
"""A model or a store may be away for a day before the work that needs it is given up."""

GATE_RESTARTS = df.RetryOptions(
    first_retry_interval_in_milliseconds=1_000, max_number_of_attempts=10
)
"""A payload that is not JSON fails the gate inside the SDK; the next attempt reads the ledger."""

blueprint = df.Blueprint()


class Stopped(Exception):
    """The work ends before there is anything to approve; `answer` says as what and why."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(answer["reason"])
        self.answer = answer


@blueprint.orchestration_trigger(context_name="context")
def research(context: Context) -> Story:
    """Prepare a report, have it decided, publish it if approved, and close the operation.

    Input: tenant and operation_id; everything else is in the ledger. Output: the outcome.
    """
    order = cast(dict[str, Any], context.get_input())
    try:
        yield from prepare_report(context, order)
        yield from seek_approval(context, order)
    except Stopped as stopped:
        order = {**order, **stopped.answer}
    closed = yield context.call_activity_with_retry(CLOSE_OPERATION, PATIENCE, order)
    if closed.get("news"):
        context.signal_entity(*notices_of(order["operation_id"]), order)
    return {"outcome": closed["outcome"]}


def prepare_report(context: Context, order: dict[str, Any]) -> Story:
    """Plan, research the subtopics side by side, check the facts, and write the first draft."""
    plan = yield from work(context, PLAN_RESEARCH, order)
    again, number, approved = list(range(plan["subtopics"])), 0, False
    while not approved:
        yield from work_side_by_side(
            context,
            RESEARCH_SUBTOPIC,
            [{**order, "round": number, "subtopic": subtopic} for subtopic in again],
        )
        number += 1
        check = yield from work(
            context, CHECK_FACTS, {**order, "round": number - 1, "last": number == ROUNDS}
        )
        again, approved = check["again"], check["approved"]
    yield from work(context, WRITE_DRAFT, {**order, "version": 1})


def seek_approval(context: Context, order: dict[str, Any]) -> Story:
    """Open version after version until one has an outcome that needs no further one."""
    version, step = 1, "open"
    while step != "close":
        proposal = {**order, "version": version}
        yield from insist(context, OPEN_PROPOSAL, proposal)
        outcome = yield context.call_sub_orchestrator_with_retry(
            APPROVAL_GATE, GATE_RESTARTS, proposal, gate_instance(order["operation_id"], version)
        )
        step = outcome["next"]
        if step == "publish":
            yield from insist(context, PUBLISH_REPORT, proposal)
            return
        version += 1
        if step == "revise":
            yield from work(context, WRITE_DRAFT, {**order, "version": version})


def work(context: Context, activity: str, order: dict[str, Any]) -> Story:
    """Have the team do something; what fails for a day ends the operation as failed."""
    try:
        answer = yield context.call_activity_with_retry(activity, PATIENCE, order)
    except Exception:  # noqa: BLE001 - the SDK raises nothing more specific
        [answer] = yield from after_an_outage(context, activity, [order])
    return go_on(answer)


def work_side_by_side(context: Context, activity: str, orders: list[dict[str, Any]]) -> Story:
    """Have the team do something for several orders at once."""
    tasks = [context.call_activity_with_retry(activity, PATIENCE, order) for order in orders]
    try:
        answers = yield context.task_all(tasks)
    except Exception:  # noqa: BLE001 - the SDK raises nothing more specific
        answers = yield from after_an_outage(context, activity, orders)
    for answer in answers:
        go_on(answer)


def after_an_outage(context: Context, activity: str, orders: list[dict[str, Any]]) -> Story:
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


def insist(context: Context, activity: str, order: dict[str, Any]) -> Story:
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
        raise Stopped(answer)
    return answer


def given_up(activity: str) -> Stopped:
    """The end of an operation whose work can't be done; the cause stays in the host's log."""
    reason = f"The step {activity} failed for a day; the host's log says why."
    return Stopped({"ends_as": "failed", "reason": reason})
