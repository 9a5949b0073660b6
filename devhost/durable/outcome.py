"""An outcome: what an episode changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from devhost.durable.history import Event
from devhost.durable.instance import Activity, Child, Parent, Timer
from devhost.durable.snapshot import Snapshot


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What an episode changes, to be committed as a whole.

    Attributes:
        after: The instance and its history from now on.
        activities, timers, children: What is to be started.
        requests: Events for entities, each with the id of its entity.
        messages: Events for the instance itself.
        notice: What its parent is to be told, if it has ended.
        replaced: Whether the history isn't what it was before and an episode more.
        notes: What the console tells besides changes of the status.
    """

    after: Snapshot
    activities: Sequence[Activity] = ()
    timers: Sequence[Timer] = ()
    children: Sequence[Child] = ()
    requests: Sequence[tuple[str, Event]] = ()
    messages: Sequence[Event] = ()
    notice: tuple[Parent, Event] | None = None
    replaced: bool = False
    notes: Sequence[str] = ()
