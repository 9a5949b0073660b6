"""What is under way in an operation, on a board that people look at while they wait."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from countersign.approvals.operation import Operation
from countersign.operations.summary import state_of
from countersign.platform.clock import Clock
from countersign.steps.names import opening_step
from countersign.stores.errors import StoreError
from countersign.stores.progress import ProgressStore, UnderWay
from countersign.team.progress import Progress

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Board:
    """Keeps the signs of life of steps, and shows those that still mean something.

    Nothing on it is needed for the work, so whatever fails here is left out.

    Attributes:
        store: what the processes share.
        clock: tells when a sign was given.
    """

    store: ProgressStore
    clock: Clock

    async def __call__(self, progress: Progress) -> None:
        """Write down that a step is being worked on."""
        sign = UnderWay(
            step=progress.step,
            subtopic=progress.subtopic,
            tokens=progress.tokens,
            seen_at=self.clock(),
        )
        try:
            await self.store.put(progress.tenant, progress.operation_id, sign)
        except StoreError as error:
            _log.debug("nobody sees that %s is under way: %s", progress.step, error)

    async def of(self, operation: Operation) -> Sequence[UnderWay]:
        """Return the steps in progress, sorted by name; none if nothing is being worked on."""
        if state_of(operation) != "running":
            return []
        try:
            signs = await self.store.of(operation.tenant, operation.id)
        except StoreError as error:
            _log.debug("nobody sees what is under way in %s: %s", operation.id, error)
            return []
        done = {*operation.work, *map(opening_step, range(1, len(operation.proposals) + 1))}
        going = [sign for sign in signs if sign.step not in done]
        return sorted(going, key=lambda sign: sign.step)

    async def clear(self, tenant: str, operation_id: str) -> None:
        """Take down what is there of an operation."""
        with suppress(StoreError):
            await self.store.forget(tenant, operation_id)
