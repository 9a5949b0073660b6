"""Gives the app its calls, and gives them again when a worker process is lost."""

from __future__ import annotations

import time
from dataclasses import replace

from devhost.app.calls import Answer, Call
from devhost.app.workers import Workers
from devhost.console import Console
from devhost.errors import WorkerDied, WorkerEnded
from devhost.functions.catalogue import Catalogue


class Supervisor:
    """Implements `app.App`.

    Args:
        seconds: How long a call may take that says nothing else; None for ever.
    """

    def __init__(self, workers: Workers, console: Console, seconds: float | None) -> None:
        self._workers = workers
        self._console = console
        self._seconds = seconds
        self._under_way = 0

    @property
    def catalogue(self) -> Catalogue:
        """The app's functions."""
        return self._workers.catalogue

    @property
    def busy(self) -> bool:
        """Whether anything of the app runs or is about to."""
        return self._under_way > 0

    async def call(self, call: Call) -> Answer:
        """Call a function and return its answer.

        A call that may be run again is, when its worker dies. The last try gets a worker of its
        own: neither can it take others with it then, nor can others take it with them.

        Raises:
            CallLost: There will be no answer.
        """
        if call.seconds is None and self._seconds is not None:
            call = replace(call, seconds=self._seconds)
        began = time.perf_counter()
        self._under_way += 1
        try:
            return await self._insist(call)
        finally:
            self._under_way -= 1
            if self._console.verbose:
                took = 1000 * (time.perf_counter() - began)
                self._console.detail(f"called {call.function} {took:.0f} ms")

    async def _insist(self, call: Call) -> Answer:
        deaths = 0
        while True:
            try:
                if 0 < deaths == call.attempts - 1:
                    async with self._workers.spare() as worker:
                        return await worker.call(call)
                worker = await self._workers.present(patient=call.attempts > 1)
                return await worker.call(call)
            except WorkerDied:
                deaths += 1
                if deaths >= call.attempts:
                    raise
            except WorkerEnded:
                if call.attempts == 1:
                    raise
