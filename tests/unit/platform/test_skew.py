"""How far two clocks are apart is told from one request, and only warned of if it is certain."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from countersign.platform.clock import Since
from countersign.platform.skew import Skew

NOON = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)


def measured(*, sent: float, received: float, date: int) -> Skew:
    """All in seconds after noon: the first two by this machine's clock, `date` by the other's."""
    times = [NOON + timedelta(seconds=sent), NOON + timedelta(seconds=received)]
    return Skew.measured(Since(lambda: times.pop(0)), NOON + timedelta(seconds=date))


@pytest.mark.parametrize(
    ("sent", "received", "date", "ahead"),
    [
        (10.5, 10.5, 10, 0.0),
        (10.0, 14.0, 12, -0.5),
        (70.0, 74.0, 10, 61.5),
        (10.0, 14.0, 70, -58.5),
    ],
)
def test_a_date_is_of_the_middle_of_its_second_and_of_the_round_trip(
    sent: float, received: float, date: int, ahead: float
) -> None:
    skew = measured(sent=sent, received=received, date=date)
    assert skew.ahead.total_seconds() == pytest.approx(ahead, abs=0.2)
    assert skew.uncertain.total_seconds() == pytest.approx((received - sent) / 2 + 0.5, abs=0.2)


def of(ahead: float, uncertain: float) -> Skew:
    return Skew(ahead=timedelta(seconds=ahead), uncertain=timedelta(seconds=uncertain))


@pytest.mark.parametrize(
    ("ahead", "uncertain", "told"),
    [
        (5.5, 0.5, None),
        (-5.5, 0.5, None),
        (20.0, 15.0, None),
        (5.6, 0.5, "this machine's clock is 5.6 s ahead of that of the storage account"),
        (-30.0, 0.5, "this machine's clock is 30.0 s behind that of the storage account"),
    ],
)
def test_a_warning_says_which_clock_is_ahead_once_the_difference_is_certain(
    ahead: float, uncertain: float, told: str | None
) -> None:
    warning = of(ahead, uncertain).warning
    assert warning is None if told is None else (warning or "").startswith(told)
