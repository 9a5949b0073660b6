"""What one approved order and report cost stays within bounds: all of it is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from bench.cost.counting import Counts, count

EMBEDDED = {
    "order": {
        "HTTP requests to the app": 2,
        "HTTP requests to the durable runtime": 2,
        "activities": 4,
        "calls of the purchasing system": 2,
        "reads of a ledger": 5,
        "syncs of files and folders": 11,
        "transactions of the database": 5,
        "turns of orchestrators": 8,
    },
    "report": {
        "HTTP requests to the app": 2,
        "HTTP requests to the durable runtime": 2,
        "activities": 7,
        "reads of a ledger": 8,
        "syncs of files and folders": 64,
        "transactions of the database": 12,
        "turns of orchestrators": 11,
    },
}
AZURE = {
    "order": {"storage requests": 25, "storage requests of a decision in a row": 4},
    # Of these, five tell of steps that take longer than half a second: 59 where none does.
    "report": {"storage requests": 64, "storage requests of a decision in a row": 4},
}

pytestmark = [
    pytest.mark.devhost_only("it counts in a process that the test starts"),
    pytest.mark.fair_only("what comes twice or late costs more"),
]


def over(found: Mapping[str, Counts], most: Mapping[str, Counts]) -> dict[tuple[str, str], int]:
    """What was counted more often than it may be; what nobody set a bound for may not be at all."""
    return {
        (kind, what): number
        for kind, counts in found.items()
        for what, number in counts.items()
        if number > most[kind].get(what, 0)
    }


def test_an_order_and_a_report_cost_no_more_than_they_did() -> None:
    found = asyncio.run(count())
    assert over(found, EMBEDDED) == {}
    # Whatever is counted is there: a counter that hangs nowhere would be within any bound.
    assert {kind: counts.keys() for kind, counts in found.items()} == {
        kind: most.keys() for kind, most in EMBEDDED.items()
    }


def test_an_order_and_a_report_ask_azure_s_storage_no_more_often_than_they_did(
    azurite: str,
) -> None:
    found = asyncio.run(count(azurite))
    asked = {kind: {what: found[kind][what] for what in most} for kind, most in AZURE.items()}
    assert over(asked, AZURE) == {}
