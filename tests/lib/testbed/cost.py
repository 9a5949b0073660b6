"""What a piece of work costs, told so that a busy machine changes nothing of it."""

from __future__ import annotations

import time
from collections.abc import Callable


def cpu_seconds(work: Callable[[], object]) -> float:
    """The processor time that this thread needs for it: the least of three tries."""
    return min(_once(work) for _ in range(3))


def times_as_much(work: Callable[[], object], yardstick: Callable[[], object]) -> float:
    """How many times the processor time of another piece of work it needs."""
    return cpu_seconds(work) / cpu_seconds(yardstick)


def _once(work: Callable[[], object]) -> float:
    begun = time.thread_time()
    work()
    return time.thread_time() - begun
