"""The warning that a ledger can't be trusted, remembered beside it: such a ledger takes no rows.

It is sent once. If the sender was cut off meanwhile, nobody can tell whether it had been sent, and
another try follows: a warning twice is better here than none.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.hold import Hold
from countersign.approvals.operation import Operation
from countersign.stores.artifacts import Artifacts

CUT_OFF_AFTER = timedelta(minutes=15)
"""A try that has no end by then was cut off: a run of the reconciler takes less than a minute."""

MOST_TRIES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerWarning:
    """What is to be told once of a ledger: which row of it is wrong first.

    Attributes:
        artifacts: remembers what was told.
        operation: whose ledger it is.
        hold: why nothing is done with it.
    """

    artifacts: Artifacts
    operation: Operation
    hold: Hold

    async def claim(self, now: datetime) -> bool:
        """Return whether it is this caller that has to send it now.

        Raises:
            StoreError: the store is away.
        """
        if await self._recall(self._key("told")):
            return False
        for tried in range(MOST_TRIES):
            key = self._key(*([tried] if tried else []))
            if claimed := await self._recall(key):
                if not _was_cut_off(await self._get(claimed), now):
                    return False
            else:
                mine = await self._put(canonical([uuid.uuid4().hex, now.isoformat()]))
                return await self._remember(key, mine) == mine
        return False

    async def told(self) -> None:
        """Remember that it was sent.

        Raises:
            StoreError: the store is away.
        """
        await self._remember(self._key("told"), await self._put(b"told"))

    def _key(self, *more: str | int) -> str:
        said = ["ledger warning", self.operation.id, self.hold.cause, self.hold.episode, *more]
        return sha256(canonical(said))

    async def _recall(self, key: str) -> str | None:
        return await self.artifacts.recall(self.operation.tenant, key)

    async def _get(self, reference: str) -> bytes:
        return await self.artifacts.get(self.operation.tenant, reference)

    async def _put(self, content: bytes) -> str:
        return await self.artifacts.put(self.operation.tenant, content)

    async def _remember(self, key: str, reference: str) -> str:
        return await self.artifacts.remember(self.operation.tenant, key, reference)


def _was_cut_off(claim: bytes, now: datetime) -> bool:
    """Return whether a try should have ended; one of an earlier release says no time, and did."""
    try:
        _, began = json.loads(claim)
        return now - datetime.fromisoformat(began) > CUT_OFF_AFTER
    except (ValueError, TypeError):
        return False
