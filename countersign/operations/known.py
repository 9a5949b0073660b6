"""What this process knows of operations: the newest state that it has read or made of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import Self

from countersign.approvals.ledger import Row, salts_of
from countersign.approvals.operation import Operation
from countersign.approvals.sealing import Salts
from countersign.platform.recent import Recent

MOST_KNOWN_ROWS = 10_000
"""The operations that were used last are kept in memory, with so many rows in all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """A state, the rows that led to it, and the salts of the people in them."""

    operation: Operation
    rows: Sequence[Row]
    salts: Salts

    @classmethod
    def of(cls, operation: Operation, rows: Sequence[Row]) -> Self:
        """Return what rows that were read say."""
        return cls(operation=operation, rows=rows, salts=salts_of(rows))

    @classmethod
    def after(cls, before: Known | None, operation: Operation, rows: Sequence[Row]) -> Self:
        """Return what is known once these rows are added, None before the first."""
        if before is None:
            return cls.of(operation, rows)
        salts = {**before.salts, **salts_of(rows)}
        return cls(operation=operation, rows=[*before.rows, *rows], salts=salts)


class KnownOperations:
    """The operations that this process has worked with lately; safe to share between threads.

    Others may have changed them since, so what is recorded on such a state is recorded only if it
    is still the newest one.
    """

    def __init__(self) -> None:
        self._kept: Recent[tuple[str, str], Known] = Recent(MOST_KNOWN_ROWS)

    def get(self, tenant: str, operation_id: str) -> Known | None:
        """Return what is known of an operation, None if nothing is."""
        return self._kept.get((tenant, operation_id))

    def keep(self, known: Known) -> None:
        """Keep a state that a trusted ledger led to, in place of an older one."""
        operation = known.operation
        kept = self.get(operation.tenant, operation.id)
        # What was read at the same time may come here in another order.
        if kept is None or kept.operation.sequence <= operation.sequence:
            self._kept.put((operation.tenant, operation.id), known, len(known.rows))

    def forget(self, tenant: str, operation_id: str) -> None:
        """Know an operation no more, since somebody else has changed it."""
        self._kept.forget((tenant, operation_id))
