"""The retry policy of a timer function: `@app.retry`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

_FOR_EVER = -1
_SPAN = re.compile(r"(\d{1,2}):(\d{1,2}):(\d{1,2})", re.ASCII)


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
        ValueError: A time span, or how many retries there are, can't be read.
    """
    if not said:
        return None
    fixed = said.get("strategy") == "fixed_delay"
    least, most = ("delay_interval",) * 2 if fixed else ("minimum_interval", "maximum_interval")
    return RetryPolicy(
        most=int(said.get("max_retry_count") or ""),
        least_pause=_span(least, said.get(least)),
        most_pause=_span(most, said.get(most)),
    )


def _span(name: str, text: str | None) -> timedelta:
    found = _SPAN.fullmatch(text or "")
    if found is None:
        raise ValueError(f"{name} of a retry policy must be hh:mm:ss, not {text!r}")
    hours, minutes, seconds = map(int, found.groups())
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)
