"""Who may decide what, and for how long: the part of the rules that a request can set."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

MAX_VERSIONS = 10
"""After this many versions a person who owns the matter has to take it up."""

EDITION = 2
"""The edition of the rules that operations which are started now follow."""

USUAL_WINDOW = 86_400.0
LONGEST_WINDOW = 30 * 86_400
"""Seconds that a proposal waits if nobody says otherwise, and at most."""

MOST_APPROVERS = 10
"""People whose approval a request can ask for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tier:
    """What the approval of more than an amount takes.

    Attributes:
        above: the amount, in the currency of the operation.
        quorum: how many different people have to approve in the role that is asked first.
        countersigner_role: the role in which one more has to approve; None if nobody has to.
    """

    above: Decimal
    quorum: int
    countersigner_role: str | None = None

    def asked_of(self, role: str) -> Tier:
        """Return the approvals required if this role is asked first: as many for each role."""
        if role != self.countersigner_role:
            return self
        return replace(self, quorum=self.quorum + 1, countersigner_role=None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """The terms under which the proposals of one operation are decided.

    Attributes:
        reviewer_role: the role that decides at first.
        escalation_role: the role that is asked once when nobody decided in time; None for nobody.
        quorum: how many different people have to approve one version.
        window_seconds: how long each version waits.
        reminders: shares of the window, in percent, after which reviewers are reminded once.
        tiers: what larger amounts take; the highest that is exceeded counts, of equals the last.
        has_team: whether agents stand behind the content, who can be asked about it and change it
            as a reviewer says. Without them a reviewer who wants a change makes it.
        by_largest: whether a version takes what the largest amount so far takes, so that no
            correction lowers how many people have to approve. Operations that were started before
            this was recorded take what each version's own amount takes.
        edition: which edition of the rules counts, so that what was recorded by an older one
            remains right. In the first, an escalation starts anew with another role, who dictates
            a revision may approve it alone, a rejection needs no reason, and the last version takes
            a correction.
        passkey_roles: the roles in which an approval counts only with a signature by the person's
            own passkey.
        passkey_above: the amount, in the currency of the operation, above which that is so in each
            role; None for no amount.
    """

    reviewer_role: str
    escalation_role: str | None = None
    quorum: int = 1
    window_seconds: float = USUAL_WINDOW
    reminders: tuple[int, ...] = (50, 90)
    tiers: tuple[Tier, ...] = ()
    has_team: bool = True
    by_largest: bool = False
    edition: int = 1
    passkey_roles: tuple[str, ...] = ()
    passkey_above: Decimal | None = None

    def deadline(self, opened_at: datetime) -> datetime:
        """Return the moment (UTC) from which a version opened at `opened_at` is expired."""
        return opened_at + timedelta(seconds=self.window_seconds)

    def reminder_times(self, expires_at: datetime) -> dict[int, datetime]:
        """Return when (UTC) each reminder is due, by its share of the window in percent."""
        window = timedelta(seconds=self.window_seconds)
        opened_at = expires_at - window
        return {percent: opened_at + window * percent / 100 for percent in self.reminders}

    def escalates_to(self, required_role: str) -> str | None:
        """Return the role to ask after an expiry; never the one that just did not answer.

        That makes it once: from an escalation on, the escalation role is the required one.
        """
        return None if self.escalation_role == required_role else self.escalation_role

    def signed_roles(self, asked: Collection[str], largest: Decimal | None) -> frozenset[str]:
        """Return the roles in which an approval counts only with a signature by a passkey.

        Args:
            asked: the roles that are asked.
            largest: the largest amount of any version so far, so that nobody can avoid it by making
                an order smaller first; None if there is none.
        """
        above = self.passkey_above
        if above is not None and largest is not None and largest > above:
            return frozenset(asked)
        return frozenset(asked).intersection(self.passkey_roles)

    def tier(self, amount: Decimal | None) -> Tier:
        """Return the approvals required for this amount, or for content that has none (None)."""
        usual = Tier(above=Decimal(0), quorum=self.quorum)
        if amount is None:
            return usual
        exceeded = [each for each in self.tiers if amount > each.above]
        highest = [usual, *sorted(exceeded, key=lambda each: each.above)][-1]
        return replace(highest, quorum=max(highest.quorum, self.quorum))
