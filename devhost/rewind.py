"""Taking a failed instance back to the episode in which it learned of its last failure.

DurableTask.Core removes every failure from the history, also those that were handled or retried,
after which the orchestrator's path doesn't fit its history any more. Here the history is cut off
instead: what it keeps stays as it was, the task that failed runs again, and everything else that
had arrived since arrives again.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from devhost.admission import Admission
from devhost.clock import Clock, stamp
from devhost.commits import Change, Commits
from devhost.entity import sent
from devhost.episode import Outcome, Snapshot
from devhost.errors import NoSuchInstance, NotFailed
from devhost.history import Event, Kind, event, parse
from devhost.instance import Activity, Child, Instance, Parent, Timer
from devhost.replay import HTTP_ACTIVITY

_FAILURES = {Kind.TaskFailed, Kind.SubOrchestrationInstanceFailed}
_SCHEDULES = {
    *(Kind.TaskScheduled, Kind.SubOrchestrationInstanceCreated),
    *(Kind.TimerCreated, Kind.EventSent),
}
# What the host writes down itself; everything else has arrived from somewhere.
_WRITTEN = {
    *_SCHEDULES,
    *(Kind.OrchestratorStarted, Kind.OrchestratorCompleted),
    *(Kind.ExecutionCompleted, Kind.ExecutionRewound),
}


class Rewinds:
    """Rewinds instances, together with those of their children whose failure was the last."""

    def __init__(self, commits: Commits, admission: Admission, clock: Clock) -> None:
        self._commits = commits
        self._admission = admission
        self._clock = clock

    async def rewind(self, instance_id: str, reason: str) -> None:
        """Let a failed instance go on; it is durable when this returns.

        Raises:
            NoSuchInstance: There is none any more.
            NotFailed: A child that it waits for is still running.
            InstanceExists: It was started again meanwhile.
        """
        reserved: list[str] = []
        try:
            changes = await self._changes(instance_id, reason, None, reserved)
            await self._commits.commit(*changes)
        finally:
            for name in reserved:
                self._admission.release(name)

    async def _changes(
        self, instance_id: str, reason: str, parent: Parent | None, reserved: list[str]
    ) -> list[Change]:
        await self._admission.reserve(instance_id)
        reserved.append(instance_id)
        before = await self._commits.snapshots.get(instance_id)
        if before is None:
            raise NoSuchInstance(instance_id)
        outcome = rewound(before, reason, self._clock.now(), parent)
        again: list[Child] = []
        deeper: list[Change] = []
        for child in outcome.children:
            if await self._failed(child):
                deeper += await self._changes(child.id, reason, child.parent, reserved)
            else:
                again.append(child)
        return [Change(before=before, outcome=replace(outcome, children=again)), *deeper]

    async def _failed(self, child: Child) -> bool:
        found = await self._commits.store.instance(child.id)
        if found is None or found.parent is None or found.parent.id != child.parent.id:
            return False
        if not found.over:
            raise NotFailed(found.id, found.status)
        return found.status == "Failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Cut:
    """A history cut off before its last failure.

    Attributes:
        episodes: How many episodes are kept.
        arrived: What had arrived since, but for failures and for what tasks after it led to.
        open: The events that scheduled what has no result any more, or never had one.
    """

    episodes: int
    arrived: list[Event]
    open: list[Event]


def rewound(before: Snapshot, reason: str, now: datetime, parent: Parent | None = None) -> Outcome:
    """Return the outcome of rewinding a failed instance.

    If no task of it has failed, its last episode is repeated.

    Args:
        before: The instance as it failed.
        reason: Becomes part of its history.
        now: The time of the rewinding.
        parent: Who waits for it, if that is rewound as well.
    """
    cut = _cut([parse([text]) for text in before.episodes])
    own = replace(
        before.instance,
        # What is still on its way from tasks after the cut must not be taken for another task's.
        execution=uuid.uuid4().hex,
        status="Running" if cut.episodes else "Pending",
        output=None,
        updated=stamp(now),
        episodes=cut.episodes,
        parent=parent or before.instance.parent,
    )

    def open_tasks(kind: Kind) -> list[Event]:
        return [task for task in cut.open if task["EventType"] == kind]

    return Outcome(
        after=Snapshot(own, before.episodes[: cut.episodes]),
        activities=[_activity(own, task) for task in open_tasks(Kind.TaskScheduled)],
        timers=[_timer(own, task) for task in open_tasks(Kind.TimerCreated)],
        children=[_child(own, task) for task in open_tasks(Kind.SubOrchestrationInstanceCreated)],
        requests=[_request(own, task, now) for task in open_tasks(Kind.EventSent)],
        messages=[event(Kind.ExecutionRewound, now, Reason=reason), *cut.arrived],
        replaced=True,
        notes=["Rewound"],
    )


def _cut(episodes: Sequence[Sequence[Event]]) -> _Cut:
    calls = _calls(chain(*episodes))
    failed = [n for n, events in enumerate(episodes) if any(_failed(e, calls) for e in events)]
    cut = max(failed, default=len(episodes) - 1)
    kept = list(chain(*episodes[:cut]))
    tasks = {e["EventId"]: e for e in kept if e["EventType"] in _SCHEDULES and not _signals(e)}
    arrived = [
        {**e, "IsPlayed": False}
        for e in chain(*episodes[cut:])
        if e["EventType"] not in _WRITTEN and not _failed(e, calls)
        if _task(e, calls) in (None, *tasks)
    ]
    settled = {_task(e, calls) for e in (*kept, *arrived)}
    opened = [task for number, task in tasks.items() if number not in settled]
    return _Cut(episodes=cut, arrived=arrived, open=opened)


def _calls(events: Iterable[Event]) -> dict[str, int]:
    sent_ones = (e for e in events if e["EventType"] == Kind.EventSent)
    return {json.loads(e["Input"])["id"]: e["EventId"] for e in sent_ones}


def _signals(told: Event) -> bool:
    return told["EventType"] == Kind.EventSent and json.loads(told["Input"]).get("signal", False)


def _task(told: Event, calls: Mapping[str, int]) -> int | None:
    """Return the id of the task that an event settles, if it does."""
    if told["EventType"] == Kind.EventRaised:
        return calls.get(told["Name"])
    return told.get("TaskScheduledId", told.get("TimerId"))


def _failed(told: Event, calls: Mapping[str, int]) -> bool:
    if told["EventType"] == Kind.EventRaised and told["Name"] in calls:
        return "exceptionType" in json.loads(told["Input"])
    return told["EventType"] in _FAILURES


def _activity(own: Instance, task: Event) -> Activity:
    (argument,) = json.loads(task["Input"])
    return Activity(
        instance=own.id,
        execution=own.execution,
        task=task["EventId"],
        name=task["Name"],
        input=json.dumps(argument) if task["Name"] == HTTP_ACTIVITY else argument,
    )


def _timer(own: Instance, task: Event) -> Timer:
    return Timer(instance=own.id, execution=own.execution, task=task["EventId"], due=task["FireAt"])


def _child(own: Instance, task: Event) -> Child:
    return Child(
        id=task["InstanceId"],
        name=task["Name"],
        version=task["Version"],
        input=task["Input"],
        parent=Parent(id=own.id, execution=own.execution, task=task["EventId"], name=own.name),
        # One of that id may have been started before.
        explicit=True,
    )


def _request(own: Instance, task: Event, now: datetime) -> tuple[str, Event]:
    content = {**json.loads(task["Input"]), "parentExecution": own.execution}
    return task["InstanceId"], sent(content, now)
