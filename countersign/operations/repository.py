"""Operations as a whole: read from the ledger, changed by a rule, shown in the index."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import TypeAlias

from countersign.approvals.errors import Conflict, NotFound, Refusal
from countersign.approvals.events import Event, OperationStarted
from countersign.approvals.ledger import Ledger, Row, verify
from countersign.approvals.operation import Operation, begin, evolve, fold
from countersign.approvals.rules import Ruling
from countersign.operations.summary import summarise
from countersign.platform.backoff import give_way
from countersign.platform.clock import Clock
from countersign.stores.errors import StoreError
from countersign.stores.index import Index, LedgerWithIndex

_log = logging.getLogger(__name__)

Rule: TypeAlias = Callable[[Operation, datetime], Ruling]
"""One of the rules with its command filled in: state and moment to events or a refusal."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Changed:
    """A rule was followed: the state after it, and what it recorded (nothing if it was before)."""

    operation: Operation
    events: Sequence[Event]


class NotWanted(Exception):
    """The ledger takes no more work for an operation; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(type(refusal).__name__)
        self.refusal = refusal


class Operations:
    """All operations of all tenants.

    Args:
        ledger: what happened to them.
        index: what is shown of them.
        clock: the present moment (UTC).
        one_file: the ledger again, if it has the index in the same file.
    """

    def __init__(
        self,
        ledger: Ledger,
        index: Index,
        clock: Clock,
        *,
        one_file: LedgerWithIndex | None = None,
    ) -> None:
        self.ledger = ledger
        self.index = index
        self.clock = clock
        self._one_file = one_file

    async def load(self, tenant: str, operation_id: str) -> Operation | None:
        """The state of an operation; None if there is none in this tenant.

        Raises:
            LedgerError: its rows can't be read, or could never have happened in this order.
        """
        rows = await self.ledger.read(tenant, operation_id)
        return fold(tenant, operation_id, (row.event for row in rows))

    async def recorded(self, tenant: str, operation_id: str) -> tuple[Sequence[Row], int | None]:
        """All rows of an operation, and the sequence of the first that is amiss, if one is.

        A chain does not show what was cut off at its end; the index knows how long it was.
        """
        # The index first: its row is written after the ledger's, so it can't be ahead of these.
        shown = await self.index.get(tenant, operation_id)
        rows = await self.ledger.read(tenant, operation_id)
        broken = verify(tenant, operation_id, rows)
        if broken is None and shown and shown.sequence > len(rows):
            broken = len(rows) + 1
        return rows, broken

    async def start(self, tenant: str, operation_id: str, event: OperationStarted) -> Changed:
        """Begin an operation, unless it was begun before: then nothing is recorded."""
        tries = 0
        while True:
            if begun := await self.load(tenant, operation_id):
                return Changed(operation=begun, events=())
            with suppress(Conflict):
                after = await self._append(begin(tenant, operation_id, event), [event])
                return Changed(operation=after, events=[event])
            await give_way(tries)
            tries += 1

    async def change(self, tenant: str, operation_id: str, rule: Rule) -> Changed | Refusal:
        """Follow a rule on the newest state, again whenever another writer came first.

        The moment is taken anew on each try, so a decision that loses a race against the deadline
        is judged by when it would really be recorded.
        """
        tries = 0
        while True:
            operation = await self.load(tenant, operation_id)
            if operation is None:
                return NotFound()
            answer = rule(operation, self.clock())
            if not isinstance(answer, tuple):
                return answer
            if not answer:
                return Changed(operation=operation, events=())
            with suppress(Conflict):
                after = await self._append(reduce(evolve, answer, operation), answer)
                return Changed(operation=after, events=answer)
            await give_way(tries)
            tries += 1

    async def refresh(self, tenant: str, operation_id: str, announced: str) -> Operation | None:
        """Bring the index row of an operation up to date with its ledger."""
        operation = await self.load(tenant, operation_id)
        if operation is None:
            await self.index.retract(announced)
        else:
            await self.index.put(summarise(operation), announced)
        return operation

    async def _append(self, after: Operation, events: Sequence[Event]) -> Operation:
        before, one_file = after.sequence - len(events), self._one_file
        if one_file:
            await one_file.append(after.tenant, after.id, before, events, shown=summarise(after))
            return after
        announced = await self.index.announce(after.tenant, after.id, self.clock())
        try:
            await self.ledger.append(after.tenant, after.id, before, events)
        except Conflict:
            await self.index.retract(announced)
            raise
        try:
            await self.index.put(summarise(after), announced)
        except StoreError as error:
            # It is recorded, and that counts; the announcement brings the index up to date.
            _log.warning("the index does not show %s yet: %s", after.id, error)
        return after
