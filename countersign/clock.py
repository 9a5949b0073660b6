"""The one place that asks what time it is; everything else is given the moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Returns the present moment, aware and in UTC."""


def utc_now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(timezone.utc)
