"""How long to wait before something that failed is tried again."""

from __future__ import annotations

import asyncio
import random

FIRST_GIVEN = 0.05
LONGEST_GIVEN = 2.0


async def give_way(tries: int) -> None:
    """Wait for a moment after another writer came first, the longer the more often that happened.

    Otherwise many writers of one operation would all try again at once, and all but one in vain.
    """
    await asyncio.sleep(backoff(tries, first=FIRST_GIVEN, longest=LONGEST_GIVEN))


def backoff(tries: int, *, first: float, longest: float) -> float:
    """Seconds to wait after so many tries before this one, at random.

    The bound doubles with each try up to `longest`. Half of it is left to chance, so that those who
    failed together don't come back together.
    """
    return random.uniform(0.5, 1.0) * min(first * 2 ** min(tries, 30), longest)  # noqa: S311
