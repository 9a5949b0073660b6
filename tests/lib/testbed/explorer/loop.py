"""An event loop whose time is simulated: it leaps to whatever comes next."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any


class StandsStill(RuntimeError):
    """Everybody waits, and nothing is going to happen any more."""


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Runs a world of its own, in which waiting takes no time and nothing else does either.

    What would run on a thread runs at once, so the same world always goes the same way.
    """

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Leaps(self._leap))

    def time(self) -> float:
        return self._now

    def run_in_executor(
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - it is raised where the future is awaited
            future.set_exception(error)
        return future

    def _leap(self, seconds: float) -> None:
        self._now += seconds


class _Leaps(selectors.SelectSelector):
    """Never waits: it tells how long it would have, and looks."""

    def __init__(self, leap: Callable[[float], None]) -> None:
        super().__init__()
        self._leap = leap

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            raise StandsStill
        if timeout <= 0:
            return []
        self._leap(timeout)
        return []
