"""The tasks that go on while nobody waits for them."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Coroutine
from typing import Any

from devhost.console import Console


class Background:
    """Runs tasks, and lets none of them fail unnoticed.

    Args:
        console: Is told what was raised, and where.
        failed: Called with the reason once a task has raised anything: without it the host would
            seem well, and some of its work would never be done.
    """

    def __init__(self, console: Console, failed: Callable[[str], None]) -> None:
        self._console = console
        self._failed = failed
        self._tasks: set[asyncio.Task[None]] = set()

    def apart(self) -> Background:
        """Return another one that tells the same of a failure, and is closed by itself."""
        return Background(self._console, self._failed)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` until it returns, is cancelled, or this is closed."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """Cancel what still runs, and wait until it has ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._console.line("".join(traceback.format_exception(error)).rstrip())
            self._failed(f"a part of the host has failed: {error!r}")
