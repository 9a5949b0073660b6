"""Operations as a whole: read from the ledger, changed by a rule, shown in the index."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial, reduce
from typing import NoReturn

from countersign.approvals.acts import LedgerDoubt, Trust
from countersign.approvals.errors import Conflict, NotFound, Refusal, UntrustedLedger
from countersign.approvals.events import Event, ModelCalled, OperationStarted
from countersign.approvals.folding import begin, evolve
from countersign.approvals.ledger import Entry, Ledger, Row
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.operations.known import Known, KnownOperations
from countersign.operations.rule import NOTHING, First, Ready, Rule
from countersign.operations.summary import summarise
from countersign.operations.trusted_rows import LEDGER_CAUSES, Read, TrustedRows
from countersign.platform.backoff import give_way
from countersign.platform.clock import Clock
from countersign.stores.errors import StoreError, StoreUnavailable
from countersign.stores.index import Index, LedgerWithIndex
from countersign.stores.summary import Summary

MOST_TRIES = 60
"""So often a change is tried again because another writer came first: for a minute and a half."""

CLOCKS_DIFFER = timedelta(minutes=1)
"""Clocks of machines that differ by more are told of in the log."""

_log = logging.getLogger(__name__)


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
        ledger: what was recorded.
        index: what is shown of it.
        clock: the present moment (UTC).
        trust: signs what people do, and says which ledgers are acted on; without it nothing is
            signed, and every whole chain is believed.
        one_file: the ledger again, if it has the index in the same file.
    """

    def __init__(
        self,
        ledger: Ledger,
        index: Index,
        clock: Clock,
        trust: Trust | None = None,
        *,
        one_file: LedgerWithIndex | None = None,
    ) -> None:
        self.ledger = ledger
        self.index = index
        self.clock = clock
        self._rows = TrustedRows(ledger=ledger, clock=clock, trust=trust)
        self._one_file = one_file
        self._known = KnownOperations()

    async def load(self, tenant: str, operation_id: str) -> Operation | None:
        """Return the state of an operation; None if there is none in this tenant.

        Where its ledger can't be trusted, that is the state before the first row that is wrong,
        held until somebody has looked at it.

        Raises:
            LedgerError: its rows are others or some are missing, they can't be read, or they could
                never have happened in this order.
        """
        read = await self._read(tenant, operation_id)
        return read.operation if read else None

    def known(self, tenant: str, operation_id: str) -> Operation | None:
        """Return the newest state that this process knows, if any; there may be a newer one."""
        known = self._known.get(tenant, operation_id)
        return known.operation if known else None

    async def trusted(self, tenant: str, operation_id: str) -> Operation | None:
        """Return the state of an operation, to be acted on; None if there is none in this tenant.

        Raises:
            UntrustedLedger: its ledger holds what the app did not record.
            LedgerError: otherwise as `load`.
        """
        read = await self._trusted(tenant, operation_id)
        return read.operation if read else None

    async def examined(self, tenant: str, operation_id: str) -> Operation | None:
        """As `trusted`, once the whole ledger was checked as a proof of it is.

        Raises:
            UntrustedLedger: its ledger holds what the app did not record.
            ArtifactError: a content that was offered can't be read back.
        """
        read = await self._trusted(tenant, operation_id)
        if read and (doubt := await self._rows.examine(read)):
            await self._refuse(self._rows.held(read.operation, doubt), doubt)
        return read.operation if read else None

    async def recorded(self, tenant: str, operation_id: str) -> tuple[Sequence[Row], int | None]:
        """All rows of an operation, and the sequence of the first that is amiss, if one is.

        A chain does not show what was cut off at its end; the index knows how long it was.
        """
        # The index first: its row is written after the ledger's, so it can't be ahead of these.
        shown = await self.index.get(tenant, operation_id)
        rows = await self.ledger.read(tenant, operation_id)
        broken = self._rows.broken(tenant, operation_id, rows)
        if broken is None and shown and shown.sequence > len(rows):
            broken = len(rows) + 1
        return rows, broken

    async def start(
        self,
        tenant: str,
        operation_id: str,
        event: OperationStarted,
        *,
        by: Person | None = None,
    ) -> Changed:
        """Begin an operation, unless it was begun before: then nothing is recorded.

        Args:
            tenant: whose operation it is to be.
            operation_id: the operation.
            event: the beginning.
            by: whose request it is.

        Raises:
            StoreUnavailable: others come first all the time.
        """
        for tries in range(MOST_TRIES):
            with suppress(Conflict):
                after = begin(tenant, operation_id, event)
                await self._append(None, after, [event], by)
                return Changed(operation=after, events=[event])
            if begun := await self.load(tenant, operation_id):
                return Changed(operation=begun, events=())
            await give_way(tries)
        raise _crowded(operation_id)

    async def change(
        self,
        tenant: str,
        operation_id: str,
        rule: Rule,
        *,
        by: Person | None = None,
        again: bool = False,
        ready: Ready | None = None,
    ) -> Changed | Refusal:
        """Follow a rule on the newest state, again whenever another writer came first.

        A ledger is read once for each request and activity: whoever has read it just now says so,
        and the rule is first asked on the newest state that this process knows. What is to be
        recorded then is, if that is the newest state of all; any other answer is not relied on.

        The moment is taken anew on each try, so a decision that loses a race against the deadline
        is judged by when it would really be recorded. It is never before the last one in the
        ledger, whatever the clock of this machine says (decision 7).

        Args:
            tenant: whose operation it is.
            operation_id: the operation.
            rule: what to follow.
            by: whose act it is, if a person's: what proved them is signed with what they do.
            again: whether the caller has read or changed the operation just now.
            ready: sees to what has to be there before anything is recorded; what it raises is
                raised, and nothing is recorded. It runs while the change is announced.

        Raises:
            StoreUnavailable: others come first all the time.
            UntrustedLedger: the ledger holds what the app did not record: nothing rests on it.
        """
        if again and (known := self._known.get(tenant, operation_id)):
            done = await self._followed(rule, known, by, ready)
            if isinstance(done, Changed) and done.events:
                return done
        for tries in range(MOST_TRIES):
            read = await self._trusted(tenant, operation_id)
            if read is None:
                return NotFound()
            if (done := await self._followed(rule, read.known, by, ready)) is not None:
                return done
            await give_way(tries)
        raise _crowded(operation_id)

    async def _followed(
        self, rule: Rule, known: Known, by: Person | None, ready: Ready | None
    ) -> Changed | Refusal | None:
        """Return what comes of a rule on a state; None if another writer came first."""
        answer = rule(known.operation, self._moment(known.operation))
        if not isinstance(answer, tuple):
            return answer
        if not answer:
            return Changed(operation=known.operation, events=())
        with suppress(Conflict):
            after = reduce(evolve, answer, known.operation)
            stands = partial(self._stands, rule, known.operation, answer)
            await self._append(known, after, answer, by, First(ready, stands))
            return Changed(operation=after, events=answer)
        return None

    async def refresh(self, tenant: str, operation_id: str, announced: str) -> Operation | None:
        """Bring the index row of an operation up to date with its ledger."""
        operation = await self.load(tenant, operation_id)
        if operation is None:
            await self.index.retract(announced)
        else:
            await self.index.put(summarise(operation), announced)
        return operation

    async def shown(self, tenant: str, operation_id: str) -> Operation | None:
        """As `load`, once the index shows what the ledger says, also of what is over.

        Raises:
            LedgerError: as `load`; then the row stays as it is.
        """
        operation = await self.load(tenant, operation_id)
        if operation is None:
            return None
        try:
            there = await self.index.get(tenant, operation_id)
        except StoreUnavailable:
            raise
        except StoreError:
            there = None
        row = _row_over(operation, there)
        if there != row and await self.index.rewrite([row]):
            if row.cause in LEDGER_CAUSES:
                _log_new_doubt(operation, there)
            else:
                _log.warning("the index showed %s as it was not", operation_id)
        return operation

    def _moment(self, operation: Operation) -> datetime:
        """Return the moment, or that of the last event where another machine's clock is ahead."""
        now = self.clock()
        ahead = operation.updated_at - now
        if ahead > CLOCKS_DIFFER:
            _log.error("clocks differ: %s was changed in %s by this one's", operation.id, ahead)
        return max(now, operation.updated_at)

    def _stands(self, rule: Rule, operation: Operation, answer: Sequence[Event]) -> None:
        """See to it that a rule says the same just before that is recorded.

        Raises:
            Conflict: time has passed since, because this process or a store stood still.
        """
        again = rule(operation, self._moment(operation))
        if not isinstance(again, tuple) or [*map(type, again)] != [*map(type, answer)]:
            raise Conflict(f"it is too late for what was to be recorded in {operation.id}")

    async def _append(
        self,
        before: Known | None,
        after: Operation,
        events: Sequence[Event],
        by: Person | None,
        first: First = NOTHING,
    ) -> None:
        sequence = before.operation.sequence if before else 0
        entries = await self._rows.entries(before, after, events, by)
        # What a call cost can be shown with what comes of it.
        whole = self._one_file or first.ready or not _are_calls(events)
        write = self._write if whole else self._write_only
        try:
            rows = await write(sequence, after, entries, first)
        except Conflict:
            self._known.forget(after.tenant, after.id)
            raise
        self._known.keep(Known.after(before, after, rows))

    async def _write_only(
        self, before: int, after: Operation, entries: Sequence[Entry], first: First
    ) -> Sequence[Row]:
        first.stands()
        return await self.ledger.append(after.tenant, after.id, before, entries)

    async def _write(
        self, before: int, after: Operation, entries: Sequence[Entry], first: First
    ) -> Sequence[Row]:
        if self._one_file:
            if first.ready:
                await first.ready()
            return await self._one_file.append(
                after.tenant,
                after.id,
                before,
                entries,
                shown=summarise(after),
                first=first.stands,
            )
        announced = await self._announced(after, first.ready)
        try:
            first.stands()
            rows = await self.ledger.append(after.tenant, after.id, before, entries)
        except Conflict:
            await self.index.retract(announced)
            raise
        try:
            await self.index.put(summarise(after), announced)
        except StoreError as error:
            # It is recorded, and that counts; the announcement brings the index up to date.
            _log.warning("the index does not show %s yet: %s", after.id, error)
        return rows

    async def _announced(self, after: Operation, ready: Ready | None) -> str:
        """Announce a change, and meanwhile get ready for it."""
        announcing = asyncio.ensure_future(
            self.index.announce(after.tenant, after.id, self.clock())
        )
        try:
            if ready:
                await ready()
        except Exception:
            # One that stays would only have the index looked at once more.
            with suppress(StoreError):
                await self.index.retract(await announcing)
            raise
        return await announcing

    async def _read(self, tenant: str, operation_id: str) -> Read | None:
        known = self._known.get(tenant, operation_id)
        read = await self._rows.read(tenant, operation_id, known)
        if read and read.doubt:
            self._known.forget(tenant, operation_id)
        elif read and read.known is not known:
            self._known.keep(read.known)
        return read

    async def _trusted(self, tenant: str, operation_id: str) -> Read | None:
        read = await self._read(tenant, operation_id)
        if read and read.doubt:
            await self._refuse(read.operation, read.doubt)
        return read

    async def _refuse(self, operation: Operation, doubt: LedgerDoubt) -> NoReturn:
        """Show in the index that an operation is held, and refuse to act on it.

        Raises:
            UntrustedLedger: always.
        """
        announced = await self.index.announce(operation.tenant, operation.id, self.clock())
        shown = await self.index.get(operation.tenant, operation.id)
        _log_new_doubt(operation, shown)
        await self.index.put(_row_over(operation, shown), announced)
        raise UntrustedLedger(operation.id, doubt.sequence, doubt.reason)


def _row_over(operation: Operation, there: Summary | None) -> Summary:
    """Return the row of an operation, to be written over the one that is there.

    No row is written over by one that knows less. So the row of a ledger that can't be trusted, of
    which only the beginning is believed, takes the place of the one that knew all of it.
    """
    row = summarise(operation)
    if there is None or row.cause not in LEDGER_CAUSES:
        return row
    return replace(row, sequence=max(row.sequence, there.sequence))


def _log_new_doubt(operation: Operation, there: Summary | None) -> None:
    """Log why a ledger can't be trusted, unless the index row that was there says that it can't."""
    if operation.hold and (there is None or there.cause != operation.hold.cause):
        _log.error("the ledger of %s can't be trusted: %s", operation.id, operation.hold.reason)


def _are_calls(events: Sequence[Event]) -> bool:
    return all(isinstance(event, ModelCalled) for event in events)


def _crowded(operation_id: str) -> StoreUnavailable:
    return StoreUnavailable(f"{operation_id} is changed by others all the time")
