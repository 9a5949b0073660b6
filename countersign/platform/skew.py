"""How far this machine's clock is from another machine's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from countersign.platform.clock import Since

MOST_SKEW = timedelta(seconds=5)
"""Above this, decisions near a deadline may be judged differently on two machines."""

_WITHIN_ITS_SECOND = timedelta(seconds=0.5)
"""A `Date` of HTTP is in whole seconds: on average, its moment is half of one later."""


@dataclass(frozen=True, slots=True)
class Skew:
    """The difference of two clocks.

    Attributes:
        ahead: how far this machine's clock is ahead of the other one; negative if it is behind.
        uncertain: how much less or more it may be.
    """

    ahead: timedelta
    uncertain: timedelta

    @classmethod
    def measured(cls, sent: Since, date: datetime) -> Skew:
        """Return it from a request that is being answered now.

        Args:
            sent: counts since the request was sent.
            date: the `Date` of the answer. It may be of any moment of the round trip, so it is
                taken to be of the middle.
        """
        half = sent.passed / 2
        return cls(
            ahead=sent.moment + half - (date + _WITHIN_ITS_SECOND),
            uncertain=half + _WITHIN_ITS_SECOND,
        )

    @property
    def warning(self) -> str | None:
        """What an operator is told; None unless it is certainly more than `MOST_SKEW`."""
        if abs(self.ahead) - self.uncertain <= MOST_SKEW:
            return None
        direction = "behind" if self.ahead < timedelta(0) else "ahead of"
        return (
            f"this machine's clock is {abs(self.ahead).total_seconds():.1f} s {direction} that of"
            " the storage account: a decision close to its deadline may be judged wrongly"
        )
