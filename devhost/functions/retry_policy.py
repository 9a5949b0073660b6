"""The retry policy of a timer function: `@app.retry`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from devhost.time.time_span import FORM, time_span

_FOR_EVER = -1


@dataclass(frozen=True, kw_only=True, slots=True)
class RetryPolicy:
    """When a call that failed is made again.

    Attributes:
        most: How many times at most; -1 for ever.
        least_pause: The pause before the first retry; it doubles from one to the next.
        most_pause: What it doubles up to.
    """

    most: int
    least_pause: timedelta
    most_pause: timedelta

    def allows(self, retries: int) -> bool:
        """Tell whether there is one more after so many."""
        return self.most == _FOR_EVER or retries < self.most

    def pause(self, retries: int) -> timedelta:
        """Return how long to wait after so many, before the next one.

        The genuine host takes up to a fifth more or less of what a pause grows by.
        """
        # With a larger power it would be no time span any more.
        return min(self.most_pause, self.least_pause * 2 ** min(retries, 20))


def retry_policy(said: Mapping[str, str | None] | None) -> RetryPolicy | None:
    """Read what `@app.retry` says; None if it says nothing.

    Raises:
        ValueError: It says what the genuine host refuses (`Utility.ValidateRetryOptions`).
    """
    if not said:
        return None
    fixed = said.get("strategy") == "fixed_delay"
    least, most = ("delay_interval",) * 2 if fixed else ("minimum_interval", "maximum_interval")
    policy = RetryPolicy(
        most=_count(said.get("max_retry_count")),
        least_pause=_span(least, said.get(least)),
        most_pause=_span(most, said.get(most)),
    )
    if policy.least_pause > policy.most_pause:
        raise ValueError(f"{least} of a retry policy must not be greater than {most}")
    return policy


def _count(text: str | None) -> int:
    if not re.fullmatch(r"-1|\d{1,9}", text or "", re.ASCII):
        raise ValueError(f"max_retry_count of a retry policy must be -1 or more, not {text!r}")
    return int(text or "")


def _span(name: str, text: str | None) -> timedelta:
    span = time_span(text or "")
    if span is None:
        raise ValueError(f"{name} of a retry policy must be {FORM}, not {text!r}")
    return span
