"""How long to wait between two looks at what is to come about."""

from __future__ import annotations

from collections.abc import Iterator

SHORTEST_SECONDS = 0.02
LONGEST_SECONDS = 0.15
GROWTH = 1.2


def pauses() -> Iterator[float]:
    """Yield seconds, more each time: a look takes processor time from what is waited for."""
    pause = SHORTEST_SECONDS
    while True:
        yield pause
        pause = min(pause * GROWTH, LONGEST_SECONDS)
