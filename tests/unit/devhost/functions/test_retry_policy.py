from __future__ import annotations

from datetime import timedelta

import pytest

from devhost.functions.retry_policy import retry_policy

FIXED = {"strategy": "fixed_delay", "max_retry_count": "2", "delay_interval": "00:00:05"}
GROWING = {
    "strategy": "exponential_backoff",
    "max_retry_count": "-1",
    "minimum_interval": "00:00:02",
    "maximum_interval": "00:15:00",
}


def test_a_fixed_pause_stays_and_retries_end() -> None:
    policy = retry_policy(FIXED)
    assert policy is not None
    assert [policy.allows(retries) for retries in range(4)] == [True, True, False, False]
    assert [policy.pause(retries) for retries in range(2)] == [timedelta(seconds=5)] * 2


def test_a_growing_pause_doubles_up_to_its_most() -> None:
    policy = retry_policy(GROWING)
    assert policy is not None
    assert policy.allows(10**6)
    pauses = [policy.pause(retries).total_seconds() for retries in (0, 1, 2, 8, 9, 10**6)]
    assert pauses == [2, 4, 8, 512, 900, 900]


def test_without_a_policy_there_is_none() -> None:
    assert retry_policy(None) is None


@pytest.mark.parametrize(
    "policy",
    [
        *({**FIXED, "delay_interval": span} for span in (None, "", "soon", "24:00:00")),
        *({**FIXED, "max_retry_count": count} for count in (None, "many", "-2", "1.5")),
        *({**GROWING, name: None} for name in ("minimum_interval", "maximum_interval")),
        {**GROWING, "minimum_interval": "01:00:00"},
    ],
)
def test_a_policy_that_cannot_be_followed_is_refused(policy: dict[str, str | None]) -> None:
    with pytest.raises(ValueError, match=r"retry policy|23:59:59"):
        retry_policy(policy)
