"""What keeps the work of an operation from going on, and when it is tried again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from countersign.approvals.events import RetryRequested, WorkHeld

Passing: TypeAlias = Literal["soon", "later", "never"]

EARLY = timedelta(seconds=2)
"""Clocks differ, and timers of Azure Storage fire up to a second before their time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """Why a step can't be done now, though it could be if something else were different.

    Attributes:
        cause: what programs tell faults apart by.
        reason: a sentence for people.
        passes: whether trying again helps by itself: `soon` of what is busy, `later` of what
            somebody puts right; `never` where each try costs money and hardly differs.
    """

    cause: str
    reason: str
    passes: Passing


@dataclass(frozen=True, kw_only=True, slots=True)
class Hold:
    """A step that failed and is to be tried again.

    Attributes:
        step: which one, None if that isn't known.
        cause: what programs tell holds apart by.
        reason: the same for people.
        needs_operator: whether somebody has to put something right, as far as anybody knows.
        episode: the sequence of the row with which it began; it ends when the step is done.
        since: when it began (UTC).
        tries: how many have failed so far.
        tried_at: when the last one failed (UTC).
        next_try: when the next one begins (UTC); None if only once somebody asks for it.
        costly: whether each try costs money and hardly differs from the one before, so that one is
            made only if somebody asks for it.
        asked: who asked for it, if somebody did since the last one.
    """

    step: str | None
    cause: str
    reason: str
    needs_operator: bool
    episode: int
    since: datetime
    tries: int
    tried_at: datetime
    next_try: datetime | None
    costly: bool
    asked: RetryRequested | None = None

    @classmethod
    def after(cls, event: WorkHeld, before: Hold | None, sequence: int) -> Hold:
        """Return the hold that an event leads to, which is the row `sequence`."""
        return cls(
            step=event.step,
            cause=event.cause,
            reason=event.reason,
            needs_operator=event.needs_operator,
            episode=before.episode if before else sequence,
            since=before.since if before else event.at,
            tries=event.tries,
            tried_at=event.at,
            next_try=event.next_try,
            costly=event.next_try is None,
        )

    def is_due(self, now: datetime) -> bool:
        """Return whether it is time for the next try."""
        return self.next_try is not None and now >= self.next_try - EARLY

    @property
    def pause(self) -> timedelta | None:
        """How long the pause after the last try was to be; None if nobody set one.

        Whoever asks for a try has put something right, or thinks so.
        """
        return self.next_try - self.tried_at if self.next_try and not self.asked else None
