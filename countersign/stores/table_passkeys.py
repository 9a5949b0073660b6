"""What is kept about each person's passkeys, in an Azure table: one entity for each person."""

from __future__ import annotations

from collections.abc import Sequence

from countersign.stores.account import StorageAccount
from countersign.stores.table_keys import key_of
from countersign.stores.tables import Change, Table, pieces, whole

_STATE, _PERSON = "state", "person"
_BATCH = 100


class TablePasskeys:
    """A `PasskeyStore` in the table `passkeys` of a storage account; a tenant is a partition.

    Every method raises `StoreError` or `StoreUnavailable` if the account can't be used.
    """

    def __init__(self, account: StorageAccount) -> None:
        self._table = Table(account, "passkeys")

    async def get(self, tenant: str, person: str) -> tuple[str, str]:
        """Return a person's text, and what stands for its present state."""
        found = await self._table.get(key_of("tenant", tenant), key_of("person", person))
        if found is None:
            return "", ""
        entity, tag = found
        return whole(_STATE, entity.values), tag

    async def put(self, tenant: str, person: str, text: str, before: str) -> bool:
        """Write it in place of the state that `before` stands for; False if that has changed."""
        change = Change(
            "replace" if before else "create",
            key_of("person", person),
            {_PERSON: person, **pieces(_STATE, text)},
            before or None,
        )
        return await self._table.submit(key_of("tenant", tenant), [change]) is not None

    async def people(self, tenant: str) -> Sequence[tuple[str, str]]:
        """Return all people of a tenant who have a text, each with it."""
        found = self._table.walk(key_of("tenant", tenant), batch=_BATCH)
        return [(each.values[_PERSON], whole(_STATE, each.values)) async for each in found]

    async def delete(self, tenant: str, person: str) -> None:
        """Delete a person's text."""
        await self._table.delete(key_of("tenant", tenant), key_of("person", person))
