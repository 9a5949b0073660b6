"""What each person has asked for lately, in an Azure table: one entity for each person."""

from __future__ import annotations

from countersign.stores.account import StorageAccount
from countersign.stores.allowances import Allowance, from_text, to_text
from countersign.stores.table_keys import key_of
from countersign.stores.tables import Change, Table, pieces, whole

_STATE = "state"


class TableAllowances:
    """An `AllowanceStore` in the table `allowances` of a storage account; a tenant is a partition.

    Both methods raise `StoreError` or `StoreUnavailable` if the account can't be used.
    """

    def __init__(self, account: StorageAccount) -> None:
        self._table = Table(account, "allowances")

    async def get(self, tenant: str, person: str) -> tuple[Allowance, str]:
        """Return a person's allowance, and what stands for its present state."""
        found = await self._table.get(key_of("tenant", tenant), key_of("person", person))
        if found is None:
            return Allowance(), ""
        entity, tag = found
        return from_text(whole(_STATE, entity.values)), tag

    async def put(self, tenant: str, person: str, allowance: Allowance, before: str) -> bool:
        """Write it in place of the state that `before` stands for; False if that has changed."""
        change = Change(
            "replace" if before else "create",
            key_of("person", person),
            pieces(_STATE, to_text(allowance)),
            before or None,
        )
        return await self._table.submit(key_of("tenant", tenant), [change]) is not None
