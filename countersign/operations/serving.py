"""Whether this deployment is the one that works on its storage, or stands by."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from countersign.platform.skew import Skew
from countersign.stores.serving import ServingStore

LOOKED_FOR_SECONDS = 60.0
"""How long what was seen counts: not every process of a deployment runs the reconciler."""

_log = logging.getLogger(__name__)


@dataclass(kw_only=True, slots=True)
class Serving:
    """Knows which hub serves the storage; asks at its first use, and again after a minute.

    Two hubs on one storage would both start every operation. The first one that comes serves it,
    and any other stands by until somebody has it take over.

    Attributes:
        store: says which hub serves the storage.
        hub: that of this deployment.
        seconds: a clock that only goes forward.
        served_by: the one that served when last looked at; None before.
    """

    store: ServingStore
    hub: str
    seconds: Callable[[], float] = monotonic
    served_by: str | None = field(default=None, init=False)
    _looked: float = field(default=0.0, init=False)
    _warned: bool = field(default=False, init=False)

    @property
    def other_hub(self) -> str | None:
        """The hub that serves the storage, if it is known to be another one."""
        return self.served_by if self.served_by != self.hub else None

    @property
    def skew(self) -> Skew | None:
        """How far this machine's clock was from the storage's at the last look, if known."""
        return self.store.skew

    async def look(self) -> bool:
        """Return whether this hub serves the storage now.

        Raises:
            StoreError: nothing is said.
        """
        # Before it is known, so that one of many requests at once asks.
        self._looked = self.seconds()
        before, self.served_by = self.served_by, await self.store.claim(self.hub)
        self._tell_of_skew()
        if self.served_by != self.hub:
            _log.error(
                "this deployment (%s) stands by: %s serves this storage", self.hub, self.served_by
            )
        elif before not in (None, self.hub):
            _log.warning("this deployment (%s) takes over from %s", self.hub, before)
        return self.served_by == self.hub

    async def is_here(self) -> bool:
        """Return whether this hub served the storage in the last minute; raises as `look` does."""
        if self.served_by is None or self.seconds() - self._looked > LOOKED_FOR_SECONDS:
            return await self.look()
        return self.served_by == self.hub

    def _tell_of_skew(self) -> None:
        warning = self.skew.warning if self.skew else None
        if warning and not self._warned:
            _log.warning("%s", warning)
        self._warned = warning is not None
