"""Time spans as settings write them: `[d.]hh:mm:ss`."""

from __future__ import annotations

import re
from datetime import timedelta

FORM = "[d.]hh:mm:ss"

_SPAN = re.compile(r"(?:(\d{1,6})\.)?(\d{1,2}):(\d{1,2}):(\d{1,2})", re.ASCII)


def time_span(text: str) -> timedelta | None:
    """Return the time span that a text is; None if it has another form.

    Raises:
        ValueError: It goes over 23:59:59 without days.
    """
    match = _SPAN.fullmatch(text)
    if match is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    if hours > 23 or minutes > 59 or seconds > 59:
        # .NET reads "24:00:00" as 24 days; nobody who writes it means that.
        raise ValueError(f"time span {text!r} goes over 23:59:59; put days first, as in 1.00:00:00")
    return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
