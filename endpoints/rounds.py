"""Rounds through long lists, as `reconcile` and `purge_instances` make: bounded, and fair to all.

A round sees to many side by side, within a time; the next one goes on where it ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Generic, Protocol, TypeVar

from endpoints.runtime import RuntimeAway

AT_ONCE = 16
"""So many operations are seen to side by side: most of the time the runtime is waited for."""

MOST_AWAY = 3
"""After so many in a row for which the runtime gave no answer, it gives none to the others."""

_log = logging.getLogger(__name__)


class Listed(Protocol):
    """What a list holds: something that is to be done about an operation."""

    @property
    def operation_id(self) -> str:
        """Which operation."""
        ...


Item = TypeVar("Item", bound=Listed)


class ListRound(Generic[Item]):
    """Sees to what is on a list, and keeps what is wrong with one from holding up the others.

    Args:
        items: the list.
        work: what is done about each; it may be cut off at any point.

    Attributes:
        last: the last that was taken off the list, None if none was.
        ended: whether the list was taken to its end.
    """

    def __init__(self, items: AsyncIterator[Item], work: Callable[[Item], Awaitable[None]]) -> None:
        self._items, self._work = items, work
        self._turn = asyncio.Lock()
        self._away = 0
        self.last: Item | None = None
        self.ended = False

    async def run(self, seconds: float) -> None:
        """See to as many as the time allows; it ends early where the runtime is away."""
        workers = asyncio.gather(*(self._take() for _ in range(AT_ONCE)))
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(workers, seconds)
        if not self.ended:
            _log.warning("there is more to do than this run can take: the next one continues")

    async def _take(self) -> None:
        while not self.ended and self._away < MOST_AWAY:
            # Nobody can read on in a list while another one does.
            async with self._turn:
                item = None if self.ended else await anext(self._items, None)
                self.ended = item is None
            if item is None:
                return
            self.last = item
            await self._see_to(item)

    async def _see_to(self, item: Item) -> None:
        try:
            await self._work(item)
        except RuntimeAway as error:
            self._away += 1
            _log.warning("%s was left as it is: %s", item.operation_id, error)
        except Exception:  # noqa: BLE001 - the edge of the process, once for each operation
            _log.exception("%s was left as it is", item.operation_id)
        else:
            self._away = 0
