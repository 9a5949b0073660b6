"""The arithmetic of decision 26: a hundred reports a second need so many partitions, by chance too.

Chance is drawn from seeds, so that each run is the same.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from random import Random

import pytest

REPORTS_A_SECOND, CHANGES, ENTITIES = 100, 30, 12
MOST_ENTITIES = 2_000
"""Of one partition in a second."""

LASTS = 60
"""Seconds from a report's request to its end; its changes come at any time in between."""

SECONDS = 120


def entities(partitions: int, seed: int) -> Counter[tuple[int, int]]:
    """How many entities each partition takes in each second, once as many end as begin."""
    drawn, load = Random(seed), Counter[tuple[int, int]]()  # noqa: S311 - no secret
    for number in range(REPORTS_A_SECOND * SECONDS):
        digest = sha256(f"research-{seed}-{number}".encode()).digest()
        partition = int.from_bytes(digest[:8], "big") % partitions
        for _ in range(CHANGES):
            second = int(number / REPORTS_A_SECOND + drawn.uniform(0, LASTS))
            if LASTS <= second < SECONDS:
                load[partition, second] += ENTITIES
    return load


@pytest.mark.parametrize("seed", range(3))
def test_32_partitions_take_a_hundred_reports_a_second_in_every_second(seed: int) -> None:
    assert max(entities(32, seed).values()) < MOST_ENTITIES


@pytest.mark.parametrize("seed", range(3))
def test_18_partitions_take_as_many_on_average_alone(seed: int) -> None:
    load = entities(18, seed).values()
    assert sum(load) / len(load) == pytest.approx(MOST_ENTITIES, rel=0.02)
    assert max(load) > MOST_ENTITIES
