"""The port of the index: one row per operation, for lists, inboxes and the reconciler."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from countersign.approvals.ledger import Entry, Ledger, Row
from countersign.stores.search import Search
from countersign.stores.summary import Summary


class BadCursor(ValueError):
    """The cursor is not one that a page of this index gave out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """Some rows, and where to go on; `cursor` is None on the last page."""

    rows: Sequence[Summary]
    cursor: str | None


class Key(NamedTuple):
    """What an operation is found by."""

    tenant: str
    operation_id: str


class Stalled(NamedTuple):
    """An operation that should have moved on, and where it stands on the list of all of them."""

    tenant: str
    operation_id: str
    position: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Announcement:
    """A change of an operation that was begun and whose row was not yet written.

    Attributes:
        position: where it stands on the list of all of them.
    """

    token: str
    tenant: str
    operation_id: str
    position: str


class Index(Protocol):
    """Kept beside the ledger and always restorable from it.

    A writer announces a change, appends to the ledger, then puts the new row, which ends the
    announcement. A writer that dies in between leaves its announcement for the reconciler.
    """

    async def announce(self, tenant: str, operation_id: str, at: datetime) -> str:
        """Note that an operation is about to change; returns the announcement's token."""
        ...

    async def put(self, summary: Summary, announced: str) -> None:
        """Write a row unless a newer one (by sequence) is there; end that announcement."""
        ...

    async def rewrite(self, summaries: Sequence[Summary]) -> int:
        """Write rows anew and into all lists, whatever is there, but over no newer one.

        Returns:
            How many of them were missing or other ones.
        """
        ...

    async def retract(self, announced: str) -> None:
        """End an announcement whose change did not happen."""
        ...

    async def get(self, tenant: str, operation_id: str) -> Summary | None:
        """Return the row of an operation, None if there is none in this tenant."""
        ...

    async def search(
        self, tenant: str, search: Search, *, limit: int, cursor: str | None = None
    ) -> Page:
        """Return the tenant's operations that match, in the order that the search names.

        Raises:
            BadCursor: the cursor is not one of ours.
        """
        ...

    async def count(self, tenant: str, search: Search) -> int | None:
        """Return how many of the tenant's operations match; None if too many to count."""
        ...

    def announced_before(
        self, moment: datetime, *, after: str | None = None
    ) -> AsyncIterator[Announcement]:
        """All announcements from before this moment (UTC), the oldest first.

        With a position, those that stand behind it on the list.
        """
        ...

    def stalled(self, since: datetime, *, after: str | None = None) -> AsyncIterator[Stalled]:
        """All operations that should have moved on by themselves since this moment (UTC).

        With a position, those that stand behind it on the list.

        That is: not closed, unchanged since then, and not waiting for a person, unless a reminder
        or the deadline of that wait was due by then, or the next try of what waits for an operator.
        And those with a question that is open since then.
        Whatever stands still for longest comes first, of all tenants together. A damaged row is
        among them as any other is.
        """
        ...

    def unpurged(self, since: datetime) -> AsyncIterator[Key]:
        """All operations that are closed, unchanged since this moment (UTC), and not yet purged.

        Whatever is closed for longest comes first, of all tenants together. A damaged row is among
        them as any other is.
        """
        ...

    async def purged(
        self, tenant: str, operation_id: str, since: datetime, until: datetime | None = None
    ) -> None:
        """Note that nothing of an operation is left to purge, unless it changed after `since`.

        With `until` (UTC), it is on the list again from that moment on. A row that is put again is
        unpurged again; to purge twice does no harm.
        """
        ...


class LedgerWithIndex(Ledger, Protocol):
    """A ledger that has the index in the same file, so that no change needs an announcement."""

    async def append(
        self,
        tenant: str,
        operation_id: str,
        expected_sequence: int,
        events: Sequence[Entry],
        *,
        shown: Summary | None = None,
        first: Callable[[], None] | None = None,
    ) -> list[Row]:
        """Append as every ledger does, and write the index row in the same transaction.

        Args:
            tenant: whose operation.
            operation_id: which one.
            expected_sequence: how many rows it has.
            events: what happened.
            shown: its row after that. If it can't be written, its change stays announced.
            first: is called in the transaction before anything is written; nothing is if it raises.

        Raises:
            Conflict: the operation does not have exactly `expected_sequence` rows (any more).
        """
        ...


def overdue_from(summary: Summary) -> datetime | None:
    """Since when (UTC) something of an operation should have moved on; None if nothing has to."""
    if summary.stage == "closed":
        return None
    due = moves_by_itself_from(summary), summary.asked_at
    return min(filter(None, due), default=None)


def unpurged_since(summary: Summary) -> datetime | None:
    """Since when (UTC) an operation is closed and unchanged; None while it is open.

    One of which all was erased is looked after at once, should that have broken off.
    """
    if summary.stage != "closed":
        return None
    return summary.created_at if summary.erased == "all" else summary.updated_at


def moves_by_itself_from(summary: Summary) -> datetime | None:
    """Since when (UTC) an operation that isn't closed should have moved on, its questions aside.

    One that waits for a person has until the next reminder or the deadline of that wait, and one
    that waits for an operator until its next try: that is None if it is up to somebody to ask for
    it. So whatever waits is looked at when something is due, and costs nothing until then.
    """
    if summary.state == "needs_operator":
        return max(summary.updated_at, summary.next_try) if summary.next_try else None
    # Rows of earlier releases say only when the wait ends.
    wakes_at = summary.wakes_at or summary.expires_at
    if summary.state == "awaiting_approval" and wakes_at:
        return max(summary.updated_at, wakes_at)
    return summary.updated_at
