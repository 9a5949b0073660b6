"""The index, written anew from the ledgers: where rows of it are missing, damaged or wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from countersign.approvals.errors import LedgerError
from countersign.operations.repository import Operations
from countersign.operations.summary import summarise
from countersign.stores.errors import StoreError, StoreUnavailable
from countersign.stores.summary import Summary

BATCH = 200
"""So many operations are read, and their rows written together, at a time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rebuilt:
    """What was done in one go.

    Attributes:
        operations: how many ledgers were read.
        corrected: how many rows of the index were missing, or other ones.
        unreadable: the operations whose ledger can't be read, and why; their rows are left alone.
        last: the last of the operations; the next go begins behind it.
    """

    operations: int
    corrected: int
    unreadable: Mapping[str, str]
    last: str


async def rebuild(
    operations: Operations, tenant: str, *, after: str | None = None
) -> AsyncIterator[Rebuilt]:
    """Write the rows of a tenant's operations anew, some at a time.

    It may be done while the app runs, twice, and twice at once: a row that is newer than what was
    read stays as it is.

    Args:
        operations: where they are.
        tenant: whose.
        after: one of them, behind which this begins; None for the beginning.

    Raises:
        StoreUnavailable: a store can't be used; what was told until then is done.
    """
    ids: list[str] = []
    async for each in operations.ledger.operations(tenant, after=after):
        ids.append(each)
        if len(ids) == BATCH:
            yield await _rebuilt(operations, tenant, ids)
            ids = []
    if ids:
        yield await _rebuilt(operations, tenant, ids)


async def _rebuilt(operations: Operations, tenant: str, ids: Sequence[str]) -> Rebuilt:
    rows = await asyncio.gather(*(_row(operations, tenant, each) for each in ids))
    unreadable = {each: row for each, row in zip(ids, rows, strict=True) if isinstance(row, str)}
    readable = [row for row in rows if isinstance(row, Summary)]
    return Rebuilt(
        operations=len(ids),
        corrected=await operations.index.rewrite(readable),
        unreadable=unreadable,
        last=ids[-1],
    )


async def _row(operations: Operations, tenant: str, operation_id: str) -> Summary | str | None:
    """Return the row that an operation should have, or why it can have none."""
    try:
        operation = await operations.load(tenant, operation_id)
    except StoreUnavailable:
        raise
    except (LedgerError, StoreError) as error:
        return f"{error}"
    return summarise(operation) if operation else None
