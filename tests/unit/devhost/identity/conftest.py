"""The time at the local sign-in, which moves when a test says so."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest


class Clock:
    def __init__(self) -> None:
        self.now = datetime.now(timezone.utc)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()
