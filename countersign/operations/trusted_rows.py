"""The rows of a ledger, checked before anything rests on them and signed before they are added."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from countersign.approvals.acts import LedgerDoubt, Trust, doubt_about, signed
from countersign.approvals.events import Event
from countersign.approvals.folding import fold
from countersign.approvals.hold import Hold
from countersign.approvals.ledger import Entry, Ledger, Row, sealed_with
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.operations.known import Known
from countersign.platform.clock import Clock
from countersign.platform.threads import SIGNING

CHECKED_AGAIN = timedelta(minutes=5)
"""How long until a ledger that can't be trusted is checked again: an operator may have restored it
meanwhile."""

LEDGER_CAUSES = frozenset({"ledger_unsigned", "ledger_untrusted"})
"""The causes of holds that no ledger has: it is the ledger that can't be trusted."""


def new_salt() -> str:
    """Return a salt that nobody can guess."""
    return secrets.token_hex(16)


@dataclass(frozen=True, kw_only=True, slots=True)
class Read:
    """An operation as its ledger was read.

    Attributes:
        known: all its rows, and the state; held, if the ledger can't be trusted.
        doubt: why nothing may rest on the ledger; None if it can be trusted.
    """

    known: Known
    doubt: LedgerDoubt | None = None

    @property
    def operation(self) -> Operation:
        """The state."""
        return self.known.operation

    @property
    def rows(self) -> Sequence[Row]:
        """All rows."""
        return self.known.rows


@dataclass(frozen=True, kw_only=True, slots=True)
class TrustedRows:
    """Reads ledgers as far as they can be trusted, and signs the acts that are added to them.

    Attributes:
        ledger: holds the rows.
        clock: the present moment (UTC).
        trust: signs people's acts and judges signatures; None if nothing is signed and every
            unbroken chain is trusted.
    """

    ledger: Ledger
    clock: Clock
    trust: Trust | None

    async def read(self, tenant: str, operation_id: str, known: Known | None = None) -> Read | None:
        """Return an operation up to its first wrong row; None if there is none in this tenant.

        Args:
            tenant: whose operation it is.
            operation_id: the operation.
            known: what a trusted ledger of it led to; rows that were checked are not checked again.

        Raises:
            LedgerError: rows can't be read, or could never have happened in this order.
        """
        rows = await self.ledger.read(tenant, operation_id)
        if known and known.rows == rows and self._is_signed(rows):
            return Read(known=known)
        doubt = self._doubt(tenant, operation_id, rows)
        believed = rows[: max(doubt.sequence - 1, 1)] if doubt and not doubt.unsigned else rows
        operation = fold(tenant, operation_id, (row.event for row in believed))
        if operation is None:
            return None
        if doubt and doubt.unsigned and self._may_be_unsigned(operation):
            doubt = None
        if doubt:
            operation = self.held(operation, doubt)
        return Read(known=Known.of(operation, rows), doubt=doubt)

    async def examine(self, read: Read) -> LedgerDoubt | None:
        """Return why the rules don't lead to all rows of a signed ledger; None if they do.

        Raises:
            ArtifactError: a content that was offered can't be read back.
        """
        examine = self.trust.examine if self.trust else None
        if examine is None or not self._is_signed(read.rows):
            return None
        return await examine(read.operation.tenant, read.operation.id, read.rows)

    def broken(self, tenant: str, operation_id: str, rows: Sequence[Row]) -> int | None:
        """Return the sequence of the first wrong row; None if none is wrong."""
        doubt = self._doubt(tenant, operation_id, rows)
        return doubt.sequence if doubt and not doubt.unsigned else None

    async def entries(
        self, before: Known | None, after: Operation, events: Sequence[Event], by: Person | None
    ) -> Sequence[Entry]:
        """Return events as they are added to a ledger: sealed, and acts signed.

        Args:
            before: what is known of the ledger; None before its first row.
            after: the state once they are added.
            events: what happened.
            by: whose act it is, if a person's.

        Raises:
            StoreUnavailable: what signs can't be asked now.
        """
        salts = before.salts if before else {}
        entries = sealed_with(salts, events, new_salt) if after.erasable else events
        if self.trust is None:
            return entries
        last, token = before.rows[-1] if before else None, by.token if by else None
        seal = self.trust.seal
        sign = partial(signed, after.tenant, after.id, last, entries, seal, token)
        return await SIGNING.run(sign) if seal.waits else sign()

    def held(self, operation: Operation, doubt: LedgerDoubt) -> Operation:
        """Return the operation held until an operator has looked at its ledger."""
        now = self.clock()
        hold = Hold(
            step=None,
            cause="ledger_unsigned" if doubt.unsigned else "ledger_untrusted",
            reason=doubt.reason,
            needs_operator=True,
            episode=doubt.sequence,
            since=operation.updated_at,
            tries=1,
            tried_at=now,
            next_try=now + CHECKED_AGAIN,
            costly=False,
        )
        return replace(operation, hold=hold)

    def _doubt(self, tenant: str, operation_id: str, rows: Sequence[Row]) -> LedgerDoubt | None:
        return doubt_about(tenant, operation_id, rows, self.trust.seal if self.trust else None)

    def _is_signed(self, rows: Sequence[Row]) -> bool:
        """Return whether rows need not be unsigned, which is accepted only for some time."""
        return self.trust is None or "signature" in rows[0].data

    def _may_be_unsigned(self, operation: Operation) -> bool:
        # Nothing is decided any more in a closed operation: people are notified, and it is purged.
        accepted = self.trust is None or self.trust.accepts_unsigned(self.clock())
        return accepted or operation.closed is not None
