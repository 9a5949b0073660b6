"""What happens by chance in a world, all of it drawn from one seed."""

from __future__ import annotations

import asyncio
import random
from datetime import datetime, timedelta, timezone

BEGINNING = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)


class Chance(random.Random):
    """The dice of one world.

    Attributes:
        calm: whether nothing is lost, doubled or late any more.
        steps: how often something passed between two machines, or a machine and a hub.
        out_until: until when no store can be reached, by the loop's time.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.calm = False
        self.steps = 0
        self.out_until = 0.0
        # How much goes wrong differs from world to world.
        self.trouble = self.choice([0.0, 0.01, 0.03])

    def time(self) -> float:
        """Seconds since the world began."""
        return asyncio.get_running_loop().time()

    def now(self) -> datetime:
        """What the time really is."""
        return BEGINNING + timedelta(seconds=self.time())

    def happens(self, probability: float) -> bool:
        """Whether something goes wrong that does so with this probability."""
        return not self.calm and self.random() < probability

    def loses(self) -> bool:
        """Whether a message is lost on its way to a store, or its answer on the way back."""
        return not self.calm and (self.time() < self.out_until or self.happens(self.trouble))

    def way(self) -> float:
        """Seconds that something takes on its way between machines."""
        self.steps += 1
        if self.happens(0.03):
            return self.uniform(0.1, 3.0)
        return self.uniform(0.001, 0.05)
