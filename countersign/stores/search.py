"""What to look for among operations: the filters, the order and the words of every list."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Generic, Literal, TypeAlias, TypeVar

from countersign.stores.summary import Summary

Order: TypeAlias = Literal["newest", "oldest", "deadline", "amount", "decided"]
"""By when it was requested, by deadline (nearest first), amount or last decision (highest first).

What has no deadline, amount or decision comes last.
"""

MOST_WORDS = 40
"""Different words of one operation that can be searched for; the first ones count."""

LONGEST_WORD = 16
"""Characters of a word that count: as many as the key of a table has room for in any script."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
"""Chinese, Japanese and Korean have no space between words, so each character is one."""

Value = TypeVar("Value", datetime, Decimal)


@dataclass(frozen=True, kw_only=True, slots=True)
class Span(Generic[Value]):
    """From the first to the last value, both included; None leaves that end open."""

    first: Value | None = None
    last: Value | None = None

    def holds(self, value: Value | None) -> bool:
        """Return whether a value is in it; a missing one is only where both ends are open."""
        if value is None:
            return self.first is None and self.last is None
        return (self.first is None or value >= self.first) and (
            self.last is None or value <= self.last
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitsFor:
    """What waits at a moment (UTC) for a decision by a person with these roles.

    Left out: expired ones, the person's own requests, those that they approved already.
    """

    person: str
    roles: Collection[str]
    now: datetime

    def includes(self, row: Summary) -> bool:
        """Return whether a row waits for this person."""
        return (
            row.state == "awaiting_approval"
            and not set(row.awaited).isdisjoint(self.roles)
            and row.expires_at is not None
            and row.expires_at > self.now
            and row.requester_id != self.person
            and self.person not in row.approvers
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """Which operations to list, and in which order; what is None or empty doesn't matter.

    Attributes:
        words: each begins a word of the title, of the id, or of the name of the requester or of
            somebody who decided.
        requester: the id of a person.
        decider: the id of a person who decided about some version.
        role: in which the next approval is needed.
        approvals: how many people it takes at the least to approve the newest version.
        amount: what the newest version costs, in whatever currency.
        asked, decided: when it was requested, and when somebody last decided about a version.
        due: the deadline of what waits for a decision.
    """

    words: tuple[str, ...] = ()
    waits_for: WaitsFor | None = None
    state: str | None = None
    kind: str | None = None
    requester: str | None = None
    decider: str | None = None
    role: str | None = None
    approvals: int = 1
    amount: Span[Decimal] = Span()
    asked: Span[datetime] = Span()
    decided: Span[datetime] = Span()
    due: Span[datetime] = Span()
    order: Order = "newest"

    @property
    def is_of_waiting(self) -> bool:
        """Whether only what waits for a decision can match."""
        return bool(self.waits_for or self.role or self.due != Span())

    @property
    def roles(self) -> tuple[str, ...] | None:
        """The roles of which one has to be waited for; None where that doesn't matter."""
        if self.waits_for is None:
            return None if self.role is None else (self.role,)
        return tuple(role for role in self.waits_for.roles if self.role in (None, role))

    def matches(self, row: Summary) -> bool:
        """Return whether a row is to be listed."""
        return all(
            (
                self.waits_for is None or self.waits_for.includes(row),
                not self.is_of_waiting or row.state == "awaiting_approval",
                self.state in (None, row.state),
                self.kind in (None, row.kind),
                self.requester in (None, row.requester_id),
                self.decider is None or self.decider in {each.person for each in row.decided_by},
                self.roles is None or not set(row.awaited).isdisjoint(self.roles),
                row.approvals_needed >= self.approvals,
                self.amount.holds(amount_of(row)),
                self.asked.holds(row.created_at),
                self.decided.holds(decided_at(row)),
                self.due.holds(row.expires_at),
                self._has_words(row),
            )
        )

    def _has_words(self, row: Summary) -> bool:
        there = words_of(row)
        return all(any(word.startswith(begins) for word in there) for begins in self.words)


def words_in(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case, each cut after LONGEST_WORD characters."""
    return (found[0][:LONGEST_WORD] for found in _WORD.finditer(text.casefold()))


def words_of(row: Summary) -> tuple[str, ...]:
    """Return the words by which an operation is found, each once and in a fixed order."""
    names = (each.name for each in row.decided_by)
    texts = (row.operation_id, row.requester_name, *names, row.title)
    return tuple(dict.fromkeys(word for text in texts for word in words_in(text)))[:MOST_WORDS]


def amount_of(row: Summary) -> Decimal | None:
    """Return the amount of the newest version, without its currency; None without a price."""
    return Decimal(row.amount.split()[0].replace(",", "")) if row.amount else None


def decided_at(row: Summary) -> datetime | None:
    """Return when (UTC) somebody last decided about a version; None if nobody did."""
    return max((each.at for each in row.decided_by), default=None)
