"""How a story is told: steps are done with patience, versions decided, and the end is closed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final, TypeAlias, TypeVar, cast

import azure.durable_functions as df

from countersign.approvals.standing import version_after
from countersign.steps.records import (
    AsPlanned,
    Closed,
    ClosingWork,
    Done,
    Made,
    Opened,
    Settled,
    Stop,
    VersionWork,
    Wait,
    Work,
    Written,
    read,
    read_result,
    to_json,
)
from orchestrators.names import (
    APPROVAL_GATE,
    CLOSE_OPERATION,
    OPEN_PROPOSAL,
    gate_instance,
    notices_of,
)

Context: TypeAlias = df.DurableOrchestrationContext
Told = TypeVar("Told")
Story: TypeAlias = Generator[Any, Any, Told]
"""Yields what the runtime is to do, is sent what came of it, and returns what it tells."""

PATIENCE = df.RetryOptions(first_retry_interval_in_milliseconds=10_000, max_number_of_attempts=30)
"""For work that may meet a busy model or a full disk; what can't get better is never retried."""

OUTAGE_PAUSE = timedelta(minutes=20)
OUTAGE_TRIES = 72
"""A model or a store may be away for a day before the work that needs it is given up."""

NOT_OFFERED: Final = Made()

FIRST: Final = (None, "")
"""The versions of instances that began before `defaultVersion` was set (decision 8).

They offer a version and close the operation by steps of their own. They do so whatever results say:
during a deployment an activity of today answers orchestrators of before, and the other way round.
"""

GATE_RESTARTS = df.RetryOptions(
    first_retry_interval_in_milliseconds=3_000, max_number_of_attempts=20
)
"""A payload that is not JSON fails the gate inside the SDK; the next attempt reads the ledger.

Azure Storage cuts the pause to two seconds: so late a decision is noticed that falls into it, and
twenty poisoned events in a row take most of a minute to use all attempts up. The operation's
orchestration fails then, and the reconciler starts it again once there is something to carry out.
"""


def until_closed(
    context: Context, story: Callable[[Context, Work], Story[Closed | None]]
) -> Story[dict[str, Any]]:
    """Tell a story and close its operation, unless its last step did, whichever way it went.

    An operation that waits for an operator is left as it is: the reconciler, or a person who asks
    for it, starts its story anew. So no code of today is bound by a wait that may last for weeks.

    Input of the orchestration: tenant and operation_id; everything else is in the ledger. Output:
    the outcome, which is "needs_operator" where there is none yet.
    """
    work = read(Work, cast("dict[str, Any]", context.get_input()))
    closing = ClosingWork.of(work)
    try:
        if closed := (yield from story(context, work)):
            return notified(context, work, closed)
    except GivenUp as given_up:
        closing = ClosingWork.of(work, given_up=True, reason=given_up.reason)
    except NotDone as not_done:
        match not_done.why:
            case Wait(news=news):
                return notified(context, work, Closed(outcome="needs_operator", news=news))
            case Stop(ends_as=outcome, reason=reason):
                closing = ClosingWork.of(work, ends_as=outcome, reason=reason)
    said = yield context.call_activity_with_retry(CLOSE_OPERATION, PATIENCE, to_json(closing))
    return notified(context, work, read(Closed, said))


def notified(context: Context, work: Work, closed: Closed) -> dict[str, Any]:
    """Notify those who have to hear of it, and return the output of the instance."""
    if closed.news:
        context.signal_entity(*notices_of(work.operation_id), to_json(work))
    return {"outcome": closed.outcome}


def written(context: Context, activity: str, approved: VersionWork) -> Story[Closed | None]:
    """Have what was approved written; returns as what its operation was closed then, if it was."""
    done = yield from insist(context, activity, approved, Written)
    if context.version in FIRST or done.outcome is None:
        return None
    return Closed(outcome=done.outcome, news=done.news)


def approved_version(
    context: Context,
    work: Work,
    revise: Callable[[VersionWork], Story[Made]] | None = None,
    *,
    made: Made = NOT_OFFERED,
) -> Story[VersionWork | None]:
    """Open version after version until one has an outcome that needs no further one.

    Args:
        context: the orchestration's.
        work: which operation.
        revise: makes the next version, for which a person asked in words or with a text; None where
            a correction is the next version as it is.
        made: what came of making the first version.

    Returns:
        The version that was approved; None if none was.
    """
    version: int | None = 1
    while version:
        proposal = VersionWork.of(work, version=version)
        settled = yield from settled_version(context, proposal, made)
        if settled.next == "publish":
            return proposal
        version, made = version_after(version, settled.next), NOT_OFFERED
        if version and revise and settled.next == "revise":
            made = yield from revise(VersionWork.of(work, version=version))
    return None


def settled_version(context: Context, proposal: VersionWork, made: Made) -> Story[Settled]:
    """Open a version that isn't yet, and wait at its gate for an outcome unless it has one.

    A story that is started again finds the outcomes of its first versions in the ledger. Their
    gates have ended, and what a runtime does with the start of an ended instance differs: one
    runs it anew, another drops the start, and the story would wait for ever.
    """
    step = None if context.version in FIRST else made.next
    if step is None:
        step = (yield from insist(context, OPEN_PROPOSAL, proposal, Opened)).next
    if step is not None and step != "wait":
        return Settled(next=step)
    said = yield context.call_sub_orchestrator_with_retry(
        APPROVAL_GATE,
        GATE_RESTARTS,
        to_json(proposal),
        gate_instance(proposal.operation_id, proposal.version),
    )
    return read(Settled, said)


class NotDone(Exception):
    """A step was not done, and the story ends with that.

    Where the work waits for an operator, nothing of this instance is needed for the wait: whoever
    ends it starts the story anew, which finds in the ledger all that is done.

    Args:
        why: what came of the step.
    """

    def __init__(self, why: Wait | Stop) -> None:
        super().__init__()
        self.why = why


class GivenUp(Exception):
    """A step failed for so long, for causes that nobody foresaw, that an operator has to look."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def perform(
    context: Context, activity: str, work: Work, done: type[AsPlanned] = Done
) -> Story[AsPlanned]:
    """Have the team do a step; what fails for a day is left to an operator.

    Args:
        context: the orchestration's.
        activity: the step.
        work: what it is given.
        done: what comes of it if it is done.

    Raises:
        NotDone: it wasn't.
        GivenUp: it still fails after a day.
    """
    try:
        said = yield context.call_activity_with_retry(activity, PATIENCE, to_json(work))
    except Exception:  # noqa: BLE001 - the SDK raises nothing more specific
        [said] = yield from after_an_outage(context, activity, [work])
    return as_planned(read_result(done, said))


def perform_side_by_side(context: Context, activity: str, works: Sequence[Work]) -> Story[None]:
    """Have the team do a step for several things at once; raises as `perform` does."""
    tasks = [context.call_activity_with_retry(activity, PATIENCE, to_json(work)) for work in works]
    try:
        said = yield from all_ended(context, tasks)
    except Exception:  # noqa: BLE001 - the SDK raises nothing more specific
        said = yield from after_an_outage(context, activity, works)
    results = [read_result(Done, each) for each in said]
    # That the operation ends is said by one of them at most, and counts before any wait.
    for result in sorted(results, key=lambda result: not isinstance(result, Stop)):
        as_planned(result)


def after_an_outage(
    context: Context, activity: str, works: Sequence[Work]
) -> Story[Sequence[Mapping[str, Any]]]:
    """Try again, at long intervals, what failed in spite of patience.

    What was done before is found to be done and costs nothing again.

    Raises:
        GivenUp: it still fails after a day.
    """
    for _ in range(OUTAGE_TRIES):
        yield context.create_timer(context.current_utc_datetime + OUTAGE_PAUSE)
        tasks = [context.call_activity(activity, to_json(work)) for work in works]
        # The SDK raises nothing more specific, and the cause is in the host's log.
        with suppress(Exception):
            return (yield from all_ended(context, tasks))
    raise GivenUp(f"The step {activity} failed for a day; the host's log says why.")


def all_ended(context: Context, tasks: Sequence[Any]) -> Story[Sequence[Mapping[str, Any]]]:
    """Wait until each of these tasks has ended, and give their results back.

    `task_all` goes on at the first failure, while the host waits for all. Whatever was scheduled in
    between would get a number that the host gives to a retry of the others, and the replay would
    fail for good.

    Raises:
        Exception: what one of them failed with, once none runs any more.
    """
    with suppress(Exception):
        yield context.task_all(list(tasks))
    results, failures = [], []
    for task in tasks:
        try:
            results.append((yield task))
        except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
            failures.append(error)
    if failures:
        raise failures[0]
    return results


def insist(
    context: Context, activity: str, work: Work, done: type[AsPlanned] = Done
) -> Story[AsPlanned]:
    """Have a step done that must not be given up.

    If it fails even with patience, so does this instance, and the reconciler starts it again.

    Args:
        context: the orchestration's.
        activity: the step.
        work: what it is given.
        done: what comes of it if it is done.

    Raises:
        NotDone: it wasn't done.
    """
    said = yield context.call_activity_with_retry(activity, PATIENCE, to_json(work))
    return as_planned(read_result(done, said))


def as_planned(result: AsPlanned | Wait | Stop) -> AsPlanned:
    """Give the result of a step back that was done.

    Raises:
        NotDone: it wasn't.
    """
    if isinstance(result, Wait | Stop):
        raise NotDone(result)
    return result
