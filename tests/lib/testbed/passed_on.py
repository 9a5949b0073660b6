"""A ledger that passes on what it is asked, for tests that come in between."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence

from countersign.approvals.ledger import Entry, Ledger, Row


class PassedOn:
    """A `Ledger` in front of another one."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        return await self.ledger.read(tenant, operation_id)

    async def append(
        self, tenant: str, operation_id: str, expected_sequence: int, events: Sequence[Entry]
    ) -> list[Row]:
        return await self.ledger.append(tenant, operation_id, expected_sequence, events)

    async def erase(
        self, tenant: str, operation_id: str, commitments: Collection[str] | None = None
    ) -> None:
        await self.ledger.erase(tenant, operation_id, commitments)

    def operations(self, tenant: str, *, after: str | None = None) -> AsyncIterator[str]:
        return self.ledger.operations(tenant, after=after)

    def tenants(self) -> AsyncIterator[str]:
        return self.ledger.tenants()
