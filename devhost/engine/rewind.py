"""Letting a failed instance go on as if nothing in it had failed.

As DurableTask.AzureStorage does it (`RewindHistoryAsync` of its AzureTableTrackingStore): every
failure in the history becomes an event that nobody reads, and so does the activity that failed,
which the next turn schedules again. Sub-orchestrations that failed are rewound in their turn, and
their parents wait for them.

That holds for failures that were handled or retried as well. What the orchestrator did because of
them stays in its history, where the next turn doesn't lead to any more: the instance then fails
with "Non-Deterministic workflow detected".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from devhost.durable.history import Event, Kind, as_new, event, parse
from devhost.durable.outcome import Outcome
from devhost.durable.snapshot import Snapshot
from devhost.engine.admission import Admission
from devhost.engine.commits import Change, Commits
from devhost.errors import InstanceExists
from devhost.time.clock import Clock, stamp

_FAILURES = {Kind.TaskFailed, Kind.SubOrchestrationInstanceFailed, Kind.ExecutionCompleted}


class Rewinds:
    """Rewinds instances, together with those of their children that have failed."""

    def __init__(self, commits: Commits, admission: Admission, clock: Clock) -> None:
        self._commits = commits
        self._admission = admission
        self._clock = clock

    async def rewind(self, instance_id: str, reason: str) -> None:
        """Let a failed instance go on; it is durable when this returns.

        One that has gone on meanwhile, or is there no more, is left alone.
        """
        reserved: list[str] = []
        try:
            changes = await self._changes(instance_id, reason, reserved)
            await self._commits.commit(*changes)
        finally:
            for name in reserved:
                self._admission.release(name)

    async def _changes(self, instance_id: str, reason: str, reserved: list[str]) -> list[Change]:
        try:
            await self._admission.reserve(instance_id)
        except InstanceExists:
            return []
        reserved.append(instance_id)
        before = await self._commits.snapshots.get(instance_id)
        if before is None or before.instance.status != "Failed":
            return []
        outcome, children = rewound(before, reason, self._clock.now())
        deeper = [await self._changes(child, reason, reserved) for child in children]
        return [Change(before=before, outcome=outcome), *chain(*deeper)]


def rewound(before: Snapshot, reason: str, now: datetime) -> tuple[Outcome, Sequence[str]]:
    """Return the outcome of rewinding a failed instance, and its children that failed.

    Args:
        before: The instance as it failed.
        reason: Becomes part of its history, unless a child has to go on first.
        now: The time of the rewinding.
    """
    history = [parse([text]) for text in before.episodes]
    activities = _failed(history, Kind.TaskFailed)
    children = _failed(history, Kind.SubOrchestrationInstanceFailed)

    def unread(told: Event) -> bool:
        scheduled = told["EventType"] == Kind.TaskScheduled and told["EventId"] in activities
        return scheduled or told["EventType"] in _FAILURES

    episodes = tuple(
        as_new(_unread(told) if unread(told) else told for told in events) for events in history
    )
    own = replace(before.instance, status="Pending", output=None, updated=stamp(now))
    outcome = Outcome(
        after=Snapshot(own, episodes),
        messages=[] if children else [event(Kind.GenericEvent, now, Data=reason)],
        replaced=True,
        notes=["Rewound"],
    )
    created = (e for e in chain(*history) if e["EventType"] == Kind.SubOrchestrationInstanceCreated)
    return outcome, [told["InstanceId"] for told in created if told["EventId"] in children]


def _failed(history: Sequence[Sequence[Event]], kind: Kind) -> set[int]:
    return {told["TaskScheduledId"] for told in chain(*history) if told["EventType"] == kind}


def _unread(told: Event) -> Event:
    kept = {name: told[name] for name in ("EventId", "IsPlayed", "Timestamp")}
    return {"EventType": int(Kind.GenericEvent), **kept, "Data": None}
