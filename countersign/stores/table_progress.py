"""What is under way, in an Azure table: one entity for each step."""

from __future__ import annotations

from collections.abc import Sequence

from countersign.stores.account import StorageAccount
from countersign.stores.progress import UnderWay, from_text, to_text
from countersign.stores.table_keys import key_of
from countersign.stores.tables import Change, Entity, Table

_BATCH = 100


class TableProgress:
    """A `ProgressStore` in the table `progress` of a storage account; an operation is a partition.

    Every method raises `StoreError` or `StoreUnavailable` if the account can't be used.
    """

    def __init__(self, account: StorageAccount) -> None:
        self._table = Table(account, "progress")

    async def put(self, tenant: str, operation_id: str, sign: UnderWay) -> None:
        """Write a step's last sign of life in place of the one before."""
        entity = Entity(key_of("step", sign.step), {"sign": to_text(sign)})
        await self._table.put(key_of(tenant, operation_id), entity)

    async def of(self, tenant: str, operation_id: str) -> Sequence[UnderWay]:
        """Return the signs of life of an operation's steps, in any order."""
        walk = self._table.walk(key_of(tenant, operation_id), batch=_BATCH)
        read = [from_text(entity.values.get("sign", "")) async for entity in walk]
        return [sign for sign in read if sign]

    async def forget(self, tenant: str, operation_id: str) -> None:
        """Leave nothing of an operation."""
        partition = key_of(tenant, operation_id)
        while steps := [entity.key async for entity in self._table.walk(partition, batch=_BATCH)]:
            deleted = [Change("delete", step) for step in steps[:_BATCH]]
            if await self._table.submit(partition, deleted) and len(steps) <= _BATCH:
                return
