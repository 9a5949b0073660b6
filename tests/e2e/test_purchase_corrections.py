"""Corrected orders at the running host: each is a version of its own, with a gate of its own."""

from __future__ import annotations

from typing import Any

import pytest

from testbed.buyers import Buyers
from testbed.purchasing import PurchasingService


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_widening_correction_is_a_new_version_that_its_corrector_cannot_approve_alone(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, first = buyers.waiting("100.00")
    more = {"lines": [{"sku": "S-1", "quantity": 5}], "destination": "Dock 4"}
    sent_back = buyers.decide(operation, first, "revise", correction=more).json()
    assert sent_back["correction"]["widened"] == ["destination", "lines.S-1.quantity", "total"]
    assert "Victor can't be the only one" in sent_back["correction"]["rule"]
    second = buyers.until_version(operation, 2)
    assert second["digest"] != first["digest"]
    version = buyers.shown(operation, 2)
    assert version["approvals"]["by"] == []
    assert version["approvals"]["correctors"] == ["Victor"]
    assert version["own_correction"]
    assert not buyers.shown(operation, 2, buyers.second)["own_correction"]
    assert not buyers.shown(operation, 1)["own_correction"]
    changes = version["changes"]
    assert changes["widened"] == ["destination", "lines.S-1.quantity", "total"]
    assert {"name": "destination", "before": None, "after": "Dock 4"} in changes["fields"]
    [line] = changes["lines"]
    assert (line["before"]["quantity"], line["after"]["quantity"]) == (2, 5)
    assert (line["before"]["total"], line["after"]["total"]) == ("200.00", "500.00")
    alone = buyers.decide(operation, second).json()
    assert alone["status"] == "pending"
    assert "Victor corrected this" in alone["approvals"]["missing"]
    stale = buyers.decide(operation, first, token=buyers.second)
    assert code_of(stale) == (409, "superseded")
    assert stale.json()["changes"]["widened"]
    assert buyers.decide(operation, second, token=buyers.second).json()["status"] == "approved"
    done = buyers.until_state(operation, "ordered")
    assert done["title"] == "5 × Thing 1, from Acme"  # noqa: RUF001 - it is what is meant
    [order] = purchasing.orders(operation)
    assert order["order"]["total"] == "500.00"


def test_a_corrector_who_takes_the_widening_back_is_told_that_the_rule_still_holds(
    buyers: Buyers,
) -> None:
    operation, first = buyers.waiting("100.00")
    for version, quantity in ((first, 5), (None, 2)):
        shown = version or buyers.until_version(operation, 2)
        change = {"lines": [{"sku": "S-1", "quantity": quantity}]}
        told = buyers.decide(operation, shown, "revise", correction=change).json()
        assert told["correction"]["rule"].startswith("Victor can't be the only one")
    third = buyers.until_version(operation, 3)
    alone = buyers.decide(operation, third).json()
    assert alone["approvals"]["missing"].startswith("Victor corrected this")


def test_a_correction_that_only_lowers_is_approved_by_its_corrector(buyers: Buyers) -> None:
    operation, first = buyers.waiting("100.00", "10.00")
    less = {"lines": [{"sku": "S-1", "quantity": 1}]}
    sent_back = buyers.decide(operation, first, "revise", correction=less).json()
    assert sent_back["correction"] == {"widened": [], "rule": None}
    second = buyers.until_version(operation, 2)
    [kept, struck] = buyers.shown(operation, 2)["changes"]["lines"]
    assert kept["after"]["quantity"] == 1
    assert struck["after"] is None
    assert buyers.decide(operation, second).json()["status"] == "approved"
    buyers.until_state(operation, "ordered")


def test_a_correction_that_raises_the_amount_takes_the_people_of_its_own_amount(
    buyers: Buyers,
) -> None:
    operation, first = buyers.waiting("100.00")
    dear = {"lines": [{"sku": "S-1", "unit_price": "40000.00"}]}
    buyers.decide(operation, first, "revise", correction=dear)
    buyers.until_version(operation, 2)
    approvals = buyers.shown(operation, 2)["approvals"]
    assert (approvals["quorum"], approvals["countersigner_role"]) == (2, "Purchase.Escalation")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "correction"),
        ({"comment": "cheaper, please"}, "correction"),
        ({"correction": {}}, "correction"),
        ({"correction": {"lines": [{"sku": "S-1", "quantity": 2}]}}, "correction"),
        ({"correction": {"lines": [{"sku": "S-9", "quantity": 1}]}}, "correction.lines"),
        ({"correction": {"lines": [{"sku": "S-1", "quantity": 0}]}}, "correction.lines.0.quantity"),
        ({"correction": {"lines": [{"sku": "S-1", "unit_price": 9.5}]}}, "correction.lines.0"),
        ({"correction": {"lines": [{"sku": "S-1", "unit_price": "0.001"}]}}, "correction.lines"),
        ({"correction": {"currency": "USD"}}, "correction.currency"),
        ({"correction": {"text": "Otters"}}, "correction.text"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused_by_its_field(
    buyers: Buyers, body: dict[str, Any], field: str
) -> None:
    operation, proposal = buyers.waiting()
    answer = buyers.decide(operation, proposal, "revise", **body)
    assert code_of(answer) == (422, "malformed")
    assert any(name.startswith(field) for name in answer.json()["fields"])
    assert buyers.operation(operation)["proposal"]["status"] == "pending"
