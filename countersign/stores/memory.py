"""Stores in memory: for tests, and for programs that need nothing to outlive them.

Whoever shares one of these objects works on the same data; they belong to one process.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence

from countersign.approvals.digest import sha256
from countersign.approvals.errors import Conflict
from countersign.approvals.ledger import Entry, Row, chain, without
from countersign.stores.artifacts import REFERENCE, MissingArtifact
from countersign.stores.progress import UnderWay


class MemoryLedger:
    """`Ledger` in memory."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], list[Row]] = {}

    async def read(self, tenant: str, operation_id: str) -> list[Row]:
        """Return all rows of an operation in order."""
        return [*self._rows.get((tenant, operation_id), [])]

    async def append(
        self, tenant: str, operation_id: str, expected_sequence: int, events: Sequence[Entry]
    ) -> list[Row]:
        """Insert rows, all or none.

        Raises:
            Conflict: The operation does not have exactly `expected_sequence` rows (any more).
        """
        there = self._rows.get((tenant, operation_id), [])
        if len(there) != expected_sequence:
            raise Conflict(f"{operation_id} has {len(there)} rows, not {expected_sequence}")
        rows = chain(tenant, operation_id, there[-1] if there else None, events)
        if rows:
            self._rows[tenant, operation_id] = [*there, *rows]
        return rows

    async def operations(self, tenant: str, *, after: str | None = None) -> AsyncIterator[str]:
        """Yield the ids of all operations of a tenant, behind one of them if it is named."""
        for each in sorted(operation_id for owner, operation_id in self._rows if owner == tenant):
            if after is None or each > after:
                yield each

    async def tenants(self) -> AsyncIterator[str]:
        """Yield all tenants that have an operation."""
        for tenant in sorted({tenant for tenant, _ in self._rows}):
            yield tenant

    async def erase(
        self, tenant: str, operation_id: str, commitments: Collection[str] | None = None
    ) -> None:
        """Erase the openings of these commitments, or of all; again does no harm."""
        if rows := await self.read(tenant, operation_id):
            self._rows[tenant, operation_id] = [without(row, commitments) for row in rows]


class MemoryArtifacts:
    """`Artifacts` in memory."""

    def __init__(self) -> None:
        self._contents: dict[tuple[str, str], bytes] = {}
        self._results: dict[tuple[str, str], str] = {}

    async def put(self, tenant: str, data: bytes) -> str:
        """Keep bytes; returns their reference."""
        reference = sha256(data)
        self._contents[tenant, reference] = bytes(data)
        return reference

    async def get(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference.

        Raises:
            MissingArtifact: There are none in this tenant.
        """
        try:
            return self._contents[tenant, reference]
        except KeyError:
            raise MissingArtifact(reference) from None

    async def get_stored(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference; raises as `get` does."""
        return await self.get(tenant, reference)

    async def remember(self, tenant: str, key: str, reference: str) -> str:
        """Keep which artifact a piece of work produced; the first stands and is returned.

        Raises:
            ValueError: The reference is not one.
        """
        if not REFERENCE.fullmatch(reference):
            raise ValueError(f"{reference!r} is not the reference of an artifact")
        return self._results.setdefault((tenant, key), reference)

    async def recall(self, tenant: str, key: str) -> str | None:
        """Return the reference kept for a key, None if there is none."""
        return self._results.get((tenant, key))

    async def erase(self, shelf: str) -> None:
        """Erase all that is stored as this shelf's."""
        for kept in (self._contents, self._results):
            for key in [key for key in kept if key[0] == shelf]:
                del kept[key]


class MemoryProgress:
    """`ProgressStore` in memory."""

    def __init__(self) -> None:
        self._signs: defaultdict[tuple[str, str], dict[str, UnderWay]] = defaultdict(dict)

    async def put(self, tenant: str, operation_id: str, sign: UnderWay) -> None:
        """Write a step's last sign of life in place of the one before."""
        self._signs[tenant, operation_id][sign.step] = sign

    async def of(self, tenant: str, operation_id: str) -> Sequence[UnderWay]:
        """Return what is known of an operation's steps, in no order."""
        return [*self._signs.get((tenant, operation_id), {}).values()]

    async def forget(self, tenant: str, operation_id: str) -> None:
        """Leave nothing of an operation."""
        self._signs.pop((tenant, operation_id), None)
