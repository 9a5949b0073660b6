"""Whether this deployment is the one that works on its storage, or stands by."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from countersign.stores.serving import ServingStore

_log = logging.getLogger(__name__)


@dataclass(kw_only=True, slots=True)
class Serving:
    """Knows which hub serves the storage; asks at its first use, and whenever it is told to look.

    Two hubs on one storage would both start every operation. The first one that comes serves it,
    and any other stands by until somebody has it take over.

    Attributes:
        store: says which hub serves the storage.
        hub: that of this deployment.
        served_by: the one that served when last looked at; None before.
    """

    store: ServingStore
    hub: str
    served_by: str | None = field(default=None, init=False)

    async def look(self) -> bool:
        """Whether this hub serves the storage, as is said now.

        Raises:
            StoreError: nothing is said.
        """
        before, self.served_by = self.served_by, await self.store.claim(self.hub)
        if self.served_by != self.hub:
            _log.error(
                "this deployment (%s) stands by: %s serves this storage", self.hub, self.served_by
            )
        elif before not in (None, self.hub):
            _log.warning("this deployment (%s) takes over from %s", self.hub, before)
        return self.served_by == self.hub

    async def is_here(self) -> bool:
        """Whether this hub served the storage when last looked at; raises as `look` does."""
        if self.served_by is None:
            return await self.look()
        return self.served_by == self.hub
