"""The explorer sees what is broken, and repeats what it has seen."""

from __future__ import annotations

import pytest

from testbed.explorer.explorer import play


@pytest.mark.parametrize(
    "seed",
    [
        # A restored hub no longer knows the activity that a gate waits for
        2,
        # A machine's clock is behind that of the one which opened the version
        5,
    ],
)
def test_what_was_found_once_is_not_found_again(seed: int) -> None:
    assert play(seed).broken == ""


def test_a_world_goes_the_same_way_each_time() -> None:
    assert play(2) == play(2)
