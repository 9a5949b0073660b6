"""How long ago something was, as far as one process can tell."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic as steady

from countersign.platform.clock import Clock


@dataclass(frozen=True, slots=True)
class Since:
    """Counts from the moment at which it is made, by both clocks of this process.

    One may be set back meanwhile, and the other one stands still while a machine sleeps.

    Attributes:
        clock: the one that people set.
    """

    clock: Clock
    _wall: datetime = field(init=False)
    _steady: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_wall", self.clock())
        object.__setattr__(self, "_steady", steady())

    @property
    def moment(self) -> datetime:
        """The moment from which it counts (UTC)."""
        return self._wall

    @property
    def passed(self) -> timedelta:
        """How long ago that is, by the clock that says more."""
        return max(self.clock() - self._wall, timedelta(seconds=steady() - self._steady))
