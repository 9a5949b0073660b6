"""How much one person may ask for: requests that are open at once, and model tokens in a day."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from countersign.approvals.person import Person
from countersign.operations.repository import MOST_TRIES
from countersign.platform.backoff import give_way
from countersign.platform.clock import Clock
from countersign.stores.allowances import Allowance, AllowanceStore
from countersign.stores.errors import StoreUnavailable
from countersign.stores.index import Index
from countersign.stores.summary import Summary

_UNSEEN = timedelta(minutes=1)
"""How long a request may have been begun without a row in the index."""

OPEN_SECONDS = 300
"""After so long somebody may try again who has too many open requests."""


class AllowanceUsed(ValueError):
    """A person has used what they may.

    Attributes:
        code: what programs tell the two cases apart by.
        most: how much they may use.
        retry_after: seconds after which to try again.
    """

    def __init__(self, code: str, detail: str, most: int, retry_after: int) -> None:
        super().__init__(detail)
        self.code, self.most, self.retry_after = code, most, retry_after


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowances:
    """What everybody may use, and what each has used of it.

    What a model answers counts on the day (UTC) on which it does, for whoever made the request,
    also where others had it revised. What it takes to know that grows with the requests that a
    person may have open, and with nothing else.

    Attributes:
        store: where it is kept.
        index: says which requests have ended, and what they have cost.
        clock: what the time is.
        most_open: requests that one person may have open; None for any number.
        most_tokens: model tokens that the requests of one person in a day may use before the next
            is refused; None for any number.
    """

    store: AllowanceStore
    index: Index
    clock: Clock
    most_open: int | None
    most_tokens: int | None

    async def begin(self, person: Person, operation_id: str) -> None:
        """Note that somebody begins a request, if they may.

        Raises:
            AllowanceUsed: they have used what they may.
            StoreUnavailable: others come first all the time.
        """
        if self.most_open is None and self.most_tokens is None:
            return
        for tries in range(MOST_TRIES):
            used, before = await self.store.get(person.tenant, person.id)
            if operation_id in used.open:
                return
            now, rows = self.clock(), await self._rows(person.tenant, used)
            settled = settle(used, rows, now)
            self._refuse(settled, rows, now)
            begun = replace(settled, open={**settled.open, operation_id: now})
            if await self.store.put(person.tenant, person.id, begun, before):
                return
            await give_way(tries)
        raise StoreUnavailable(f"what {person.id} has asked for is changed all the time")

    async def _rows(self, tenant: str, used: Allowance) -> Mapping[str, Summary]:
        found = await asyncio.gather(*(self.index.get(tenant, each) for each in used.open))
        return {row.operation_id: row for row in found if row}

    def _refuse(self, used: Allowance, rows: Mapping[str, Summary], now: datetime) -> None:
        if self.most_open is not None and len(used.open) >= self.most_open:
            requests = (
                "1 open request" if len(used.open) == 1 else f"{len(used.open)} open requests"
            )
            raise AllowanceUsed(
                "too_many_open",
                f"You have {requests}, and {self.most_open} is the limit. Wait until one has ended,"
                " or withdraw one.",
                self.most_open,
                OPEN_SECONDS,
            )
        if self.most_tokens is not None and tokens_of(used, rows, now) >= self.most_tokens:
            tomorrow = datetime.combine(now.date() + timedelta(days=1), datetime.min.time())
            left = tomorrow - now.replace(tzinfo=None)
            raise AllowanceUsed(
                "tokens_spent",
                f"Your requests of today have used the limit of {self.most_tokens:,} model tokens."
                " You can make the next one tomorrow (UTC).",
                self.most_tokens,
                int(left.total_seconds()) + 1,
            )


def settle(used: Allowance, rows: Mapping[str, Summary], now: datetime) -> Allowance:
    """Return an allowance without the requests that have ended; what today's of them cost stays.

    Args:
        used: as it was kept.
        rows: what the index says of its open requests, by their ids.
        now: the moment (UTC).
    """
    today = now.date()
    tokens = used.tokens if used.day == today else 0
    still: dict[str, datetime] = {}
    for operation_id, begun in used.open.items():
        row = rows.get(operation_id)
        if row and row.stage == "closed":
            tokens += _tokens_on(today, row, begun)
        elif row or now - begun < _UNSEEN:
            still[operation_id] = begun
    return Allowance(open=still, day=today, tokens=tokens)


def tokens_of(used: Allowance, rows: Mapping[str, Summary], now: datetime) -> int:
    """Return the model tokens that somebody's requests have used today, ended or not."""
    still = ((rows[each], begun) for each, begun in used.open.items() if each in rows)
    return used.tokens + sum(_tokens_on(now.date(), row, begun) for row, begun in still)


def _tokens_on(day: date, row: Summary, begun: datetime) -> int:
    """Return the model tokens that an operation has used on a day: its last one, or a later one."""
    if row.tokens_day is not None:
        return row.day_tokens if row.tokens_day == day else 0
    # Rows of earlier releases say only how many it has used in all.
    return row.tokens if begun.date() == day else 0
