"""Which hub serves a storage account, in an Azure table."""

from __future__ import annotations

from datetime import datetime

from countersign.platform.backoff import give_way
from countersign.platform.clock import Clock, utc_now
from countersign.platform.skew import Skew
from countersign.stores.account import StorageAccount
from countersign.stores.account_clock import AccountClock
from countersign.stores.errors import StoreUnavailable
from countersign.stores.tables import Change, Entity, Table

_PLACE = "serving", "hub"
_MOST_TRIES = 12


class TableServing:
    """A `ServingStore` in the table `serving` of a storage account: one entity.

    Each method raises `StoreError` or `StoreUnavailable` if the account can't be used.

    Args:
        account: where the table is.
        clock: the present moment (UTC), which is compared with the account's.
    """

    def __init__(self, account: StorageAccount, clock: Clock = utc_now) -> None:
        self._table = Table(account, "serving")
        self._clock, self._account_clock = clock, AccountClock(clock)

    @property
    def skew(self) -> Skew | None:
        """Return how far this machine's clock was from the account's when this was last asked."""
        return self._account_clock.skew

    async def claim(self, hub: str) -> str:
        """Name a hub if none is named; returns the one that is named then."""
        partition, key = _PLACE
        for tries in range(_MOST_TRIES):
            if there := await self.named():
                return there
            await self._table.submit(partition, [Change("create", key, self._naming(hub))])
            await give_way(tries)
        raise StoreUnavailable("nobody can be named who serves this storage")

    async def named(self) -> str | None:
        """Return the hub that is named, None if none is."""
        found = await self._table.get(*_PLACE, self._account_clock.hooks())
        return str(found[0].values["hub"]) if found else None

    async def since(self) -> datetime | None:
        """Return when the hub that is named was named (UTC), None if that is not recorded."""
        found = await self._table.get(*_PLACE)
        recorded = found[0].values.get("since") if found else None
        return datetime.fromisoformat(recorded) if recorded else None

    async def take_over(self, hub: str) -> str | None:
        """Name a hub in place of whichever is named; returns that one, None if none was."""
        partition, key = _PLACE
        if (there := await self.named()) != hub:
            await self._table.put(partition, Entity(key, self._naming(hub)))
        return there

    def _naming(self, hub: str) -> dict[str, str]:
        return {"hub": hub, "since": self._clock().isoformat()}
