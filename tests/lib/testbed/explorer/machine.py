"""Machines that run the app: each with a clock of its own, and able to stand still or to die."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from countersign.stores.errors import StoreUnavailable

if TYPE_CHECKING:
    from countersign.services import Services
    from testbed.explorer.chance import Chance

T = TypeVar("T")

HERE: ContextVar[Machine] = ContextVar("HERE")
"""The machine on which the code at hand runs."""


class Machine:
    """A process of the app.

    Args:
        chance: what can happen.
        skew: by how much its clock is ahead.

    Attributes:
        services: what the app works with there.
        alive: whether it still runs.
    """

    services: Services

    def __init__(self, chance: Chance, skew: timedelta) -> None:
        self._chance = chance
        self._skew = skew
        self._thaws_at = 0.0
        self._tasks: set[asyncio.Task[Any]] = set()
        self.alive = True

    def clock(self) -> datetime:
        """What this machine takes the time for."""
        return self._chance.now() + self._skew

    def run(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Have something done here; it is cancelled if the machine dies."""

        async def here() -> T:
            HERE.set(self)
            return await work

        task = asyncio.ensure_future(here())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def freeze(self, seconds: float) -> None:
        """Stand still; what was on its way arrives afterwards."""
        self._thaws_at = max(self._thaws_at, self._chance.time() + seconds)

    def die(self) -> None:
        """End at once: nothing that was begun here goes on."""
        self.alive = False
        for task in list(self._tasks):
            task.cancel()

    async def passes(self) -> None:
        """Let something pass between this machine and another."""
        await asyncio.sleep(self._chance.way())
        while self.alive and (still := self._thaws_at - self._chance.time()) > 0:  # noqa: ASYNC110
            # Meanwhile it may be frozen once more.
            await asyncio.sleep(still)
        if not self.alive:
            raise asyncio.CancelledError

    def reach(self, store: Any) -> Any:
        """A store as this machine reaches it."""
        return _Remote(store, self, self._chance)


class _Remote:
    """A store at the end of a wire: what is asked of it may be lost on its way there or back."""

    def __init__(self, store: Any, machine: Machine, chance: Chance) -> None:
        self._store, self._machine, self._chance = store, machine, chance

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._store, name)
        if inspect.isasyncgenfunction(method):
            return partial(self._walk, method)
        return partial(self._call, method)

    async def _call(self, method: Callable[..., Any], *args: Any, **more: Any) -> Any:
        await self._machine.passes()
        self._lose()
        result = await method(*args, **more)
        await self._machine.passes()
        self._lose()
        return result

    async def _walk(
        self, method: Callable[..., Any], *args: Any, **more: Any
    ) -> AsyncIterator[Any]:
        async for item in method(*args, **more):
            await self._machine.passes()
            self._lose()
            yield item

    def _lose(self) -> None:
        if self._chance.loses():
            raise StoreUnavailable("the wire")
