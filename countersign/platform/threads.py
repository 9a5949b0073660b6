"""Threads of the app's own, by what they are for: what takes long there holds up nothing else.

The Functions worker runs every coroutine on one loop. Whoever computes for long there, or waits
without awaiting, holds up all requests and activities of the process. The threads of the loop
itself (`asyncio.to_thread`, five of them on one core) are left to the stores, for without them no
decision is recorded and nothing is published.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TypeVar

from typing_extensions import ParamSpec

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """Some threads, which are started as they are needed.

    Args:
        purpose: what they are for, in one word; they are called after it.
        most: how many there are; what comes on top waits for its turn.
    """

    def __init__(self, purpose: str, most: int) -> None:
        self._pool = ThreadPoolExecutor(most, thread_name_prefix=purpose)

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do blocking work on one of them, within the span of the caller.

        Raises:
            Exception: whatever the work raises.
        """
        within = partial(copy_context().run, work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._pool, within)


SIGNING = Threads("signing", 4)
"""Signatures by a key vault, which is asked for each: tens of milliseconds."""

RESEARCH = Threads("research", 4)
"""Libraries that are indexed and searched, quotes that are looked up, the embedded model, and the
tokens for another one: seconds, or minutes for a large folder. Python computes on one thread at a
time, so more of them would only delay the loop, which has to take its turn among them."""

PAGES = Threads("pages", 2)
"""Reports that are rendered for a reader, or compared with another version or with quotes: a
second or two for the longest."""
