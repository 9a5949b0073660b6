"""One try to write what was approved: when it may send something, and who else may have."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from countersign.approvals import writes
from countersign.approvals.errors import NotAuthorised, Refusal
from countersign.approvals.operation import Operation
from countersign.destinations.destination import DestinationUnavailable
from countersign.operations.repository import Changed
from countersign.platform.clock import Since

if TYPE_CHECKING:
    from countersign.services import Services


@dataclass(kw_only=True, slots=True)
class Sending:
    """A try to write, which has a name in the ledger as soon as it may have sent something.

    A process may stand still at any point for any time. So before each sending its own clocks say
    how long ago the try was announced. Whoever is late looks again, since by then others may have
    told a person that nothing more will happen.

    Attributes:
        app: the services.
        operation: what is written.
        version: the approved version.
        digest: that of the bytes that are written.
        attempt: the name of the try.
    """

    app: Services
    operation: Operation
    version: int
    digest: str
    attempt: str = field(default_factory=lambda: uuid.uuid4().hex)
    _announced: bool = False
    _since: Since = field(init=False)

    async def reserve(self) -> Changed | Refusal:
        """Announce the try, unless another one is known of; it may send nothing then."""
        return await self._claim(again=False)

    def tried_for(self, operation: Operation) -> timedelta | None:
        """Return how long ago another try with an unknown result was announced, if one was."""
        others = [each.at for each in operation.claims if each.attempt != self.attempt]
        return self.app.clock() - max(others) if others else None

    async def may_send(self, within: timedelta) -> None:
        """Go on if something may be sent now.

        Args:
            within: how long after its announcement a try may send.

        Raises:
            DestinationUnavailable: it may not; whether it still may is to be looked up again.
        """
        if not self._announced:
            claimed = await self._claim(again=True)
            if not isinstance(claimed, Changed) or claimed.operation.written:
                raise DestinationUnavailable("the operation has continued in the meantime")
            self._announced = True
        if (passed := self._since.passed) > within:
            late = f"this attempt was announced {passed.total_seconds():.0f} seconds ago"
            raise DestinationUnavailable(f"{late}, so nothing is sent before another look")

    async def _claim(self, *, again: bool) -> Changed | Refusal:
        # Taken before, so that nobody who reads the ledger can count from an earlier moment.
        self._since = Since(self.app.clock)
        claimed = await self.app.operations.change(
            self.operation.tenant,
            self.operation.id,
            partial(self._rule, again=again),
            again=True,
        )
        self._announced = isinstance(claimed, Changed) and bool(claimed.events)
        return claimed

    def _rule(self, state: Operation, now: datetime, *, again: bool) -> writes.Ruling:
        if state.refused:
            # Whoever recorded that ends the operation as failed, which would not be true any more.
            return NotAuthorised(needs="a write that the destination did not refuse")
        return writes.reserve_write(
            state, self.version, self.digest, now, self.attempt, again=again
        )
