"""Who may decide what, and for how long: the part of the rules that a request can set."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

MAX_VERSIONS = 10
"""After this many versions a person who owns the matter has to take it up."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """The terms under which the proposals of one operation are decided.

    Attributes:
        reviewer_role: the role that decides at first.
        escalation_role: the role that is asked once when nobody decided in time; None for nobody.
        quorum: how many different people have to approve one version.
        window_seconds: how long each version waits.
        reminders: shares of the window, in percent, after which reviewers are reminded once.
    """

    reviewer_role: str
    escalation_role: str | None = None
    quorum: int = 1
    window_seconds: float = 86_400.0
    reminders: tuple[int, ...] = (50, 90)

    def deadline(self, opened_at: datetime) -> datetime:
        """The moment (UTC) from which a version opened at `opened_at` is expired."""
        return opened_at + timedelta(seconds=self.window_seconds)

    def reminder_times(self, expires_at: datetime) -> dict[int, datetime]:
        """When (UTC) each reminder is due, by its share of the window in percent."""
        window = timedelta(seconds=self.window_seconds)
        opened_at = expires_at - window
        return {percent: opened_at + window * percent / 100 for percent in self.reminders}

    def escalates_to(self, required_role: str) -> str | None:
        """The role to ask after an expiry; never the one that just did not answer.

        That makes it once: from an escalation on, the escalation role is the required one.
        """
        return None if self.escalation_role == required_role else self.escalation_role

    def satisfied_by(self, approvers: Collection[str], correctors: Collection[str]) -> bool:
        """Whether these people's approvals are enough for a version.

        Four eyes: nobody is the only one to approve a text that holds their own correction.
        """
        people = set(approvers)
        return len(people) >= self.quorum and all(people - {person} for person in correctors)
