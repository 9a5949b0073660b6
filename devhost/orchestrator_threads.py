"""The threads that run orchestrators. Part of the worker process."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress

_PATIENCE_SECONDS = 0.05
_LINGER_SECONDS = 1.0


class OrchestratorThreads:
    """Runs jobs on one thread, and on others besides as long as none of them gets done.

    Orchestrators only compute, and of those Python runs one at a time; on many threads they spend
    a good part of that time on taking turns. But one that blocks or spins must not hold up others.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._done = 0
        self._submitted = threading.Event()
        for target in (self._run, self._watch):
            threading.Thread(target=target, daemon=True).start()

    def submit(self, job: Callable[[], object]) -> None:
        """Run `job` as soon as a thread is free; it must not raise."""
        self._jobs.put(job)
        if not self._submitted.is_set():
            self._submitted.set()

    def _run(self, timeout: float | None = None) -> None:
        with suppress(queue.Empty):
            while True:
                self._jobs.get(timeout=timeout)()
                # Two threads may count as one here: it only matters that the number changes.
                self._done += 1

    def _watch(self) -> None:
        while True:
            self._submitted.wait()
            self._submitted.clear()
            self._stand_in_where_needed()

    def _stand_in_where_needed(self) -> None:
        before = self._done
        time.sleep(_PATIENCE_SECONDS)
        while not self._jobs.empty():
            if self._done == before:
                threading.Thread(target=self._run, args=[_LINGER_SECONDS], daemon=True).start()
            before = self._done
            time.sleep(_PATIENCE_SECONDS)
