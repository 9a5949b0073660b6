"""What this process knows of operations: the newest state that it has read or made of each."""

from __future__ import annotations

from dataclasses import dataclass

from countersign.approvals.ledger import Row
from countersign.approvals.operation import Operation
from countersign.approvals.sealing import Salts
from countersign.stores.recent import Recent

MOST_KNOWN = 1_000
"""Of so many operations the newest state is kept in memory."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """A state that a trusted ledger led to, its last row then, and the salts of its people."""

    operation: Operation
    last: Row
    salts: Salts


class KnownOperations:
    """The operations that this process has worked with lately; safe to share between threads.

    Others may have changed them since, so what is recorded on such a state is recorded only if it
    is still the newest one.
    """

    def __init__(self) -> None:
        self._kept: Recent[tuple[str, str], Known] = Recent(MOST_KNOWN)

    def get(self, tenant: str, operation_id: str) -> Known | None:
        """Return what is known of an operation, None if nothing is."""
        return self._kept.get((tenant, operation_id))

    def keep(self, operation: Operation, last: Row, salts: Salts) -> None:
        """Keep a state in place of an older one."""
        kept = self.get(operation.tenant, operation.id)
        # What was read at the same time may come here in another order.
        if kept is None or kept.operation.sequence <= operation.sequence:
            known = Known(operation=operation, last=last, salts=salts)
            self._kept.put((operation.tenant, operation.id), known)

    def forget(self, tenant: str, operation_id: str) -> None:
        """Know an operation no more, since somebody else has changed it."""
        self._kept.forget((tenant, operation_id))
