"""The app's machine dies after every single effect on the way of an order, once each.

Where it dies while an order is being placed, the purchasing service loses its power too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals.digest import canonical, sha256
from testbed.buyers import Buyers
from testbed.purchasing import PurchasingService
from testbed.recorded_once import assert_recorded_once

ONCE = (
    "OperationStarted",
    "ProposalSuperseded",
    "ProposalApproved",
    "ReceiptRecorded",
    "OperationClosed",
)


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize(
    ("only", "places"),
    [
        pytest.param("", 50, marks=pytest.mark.thorough),
        pytest.param(
            # What an approval, an order and its end are recorded by.
            "decide_proposal submit_order close_operation",
            20,
            marks=pytest.mark.fair_only("the sweep over all deaths has these too"),
        ),
    ],
)
def test_no_death_loses_or_doubles_an_order(
    only: str, places: int, mortals_at: Callable[..., Any], listener: Any, tmp_path: Path
) -> None:
    with PurchasingService(tmp_path / "purchasing") as service:
        # One answer is lost to a machine that is dead by then, the other to one that is alive.
        service.faults("drop", "drop")

        def power_cut(places: list[str]) -> None:
            if any(place.startswith("submit_order") for place in places):
                service.kill()
                service.start()

        mortals = mortals_at(
            Buyers,
            power_cut=power_cut,
            COUNTERSIGN_NOTIFY=listener.url,
            COUNTERSIGN_PURCHASING_URL=service.url,
            CRASH_ONLY=only,
        )

        def story(number: int) -> tuple[str, list[dict[str, Any]]]:
            body = mortals.desk.order("600.00", vendor=f"Otter {number} GmbH")
            operation = mortals.ask("purchases", body, f"number-{number}")
            more = {"lines": [{"sku": "S-1", "quantity": 3}]}
            corrected = mortals.decide(operation, 1, "revise", correction=more)
            mortals.told(operation, "opened:2")
            first = mortals.decide(operation, 2, "approve")
            second = mortals.decide(operation, 2, "approve", token=mortals.desk.second)
            assert mortals.closed(operation)["state"] == "ordered"
            mortals.told(operation, "outcome")
            return operation, [corrected, first, second]

        told = mortals.tell(story)
        # The last places to die at are those after the end can be seen from outside.
        histories = [mortals.history(operation) for operation, _ in told]
        mortals.assert_died_once_at_each_place(more_than=places)
        assert service.planned() == []
        for history, (operation, receipts) in zip(histories, told, strict=True):
            assert_recorded_once(history, receipts, ONCE)
            approved = mortals.shown(operation, 2)["content"]
            assert approved["total"] == "1800.00"
            assert_placed_once(history, approved, service.orders(operation))
        assert len(service.orders()) == len(told)
        assert_everything_was_survived(mortals.places())


def assert_placed_once(
    history: list[dict[str, Any]], approved: dict[str, Any], orders: list[dict[str, Any]]
) -> None:
    [order] = orders
    assert order["order"] == approved
    [recorded] = [event for event in history if event["type"] == "ReceiptRecorded"]
    receipt = recorded["data"]["receipt"]
    assert receipt["order_number"] == order["order_number"]
    assert receipt["sha256"] == sha256(canonical(approved))


def assert_everything_was_survived(places: list[str]) -> None:
    for place in (
        "submit_order version=2: before GET",
        "submit_order version=2: before POST",
        "submit_order version=2: during POST",
        "submit_order version=2: after POST without an answer",
        "submit_order version=2: after SqliteLedger.append since WriteClaimed",
        "submit_order version=2: after SqliteLedger.append since ReceiptRecorded OperationClosed",
        "decide_proposal version=2: after SqliteLedger.append since DecisionRecorded",
    ):
        assert any(each.startswith(place) for each in places), place
