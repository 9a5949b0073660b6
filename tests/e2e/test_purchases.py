"""Orders at the running host: asked for, decided by enough people, and placed once."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from testbed.buyers import Buyers
from testbed.purchasing import PurchasingService


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


SMALL = {
    "vendor": "Acme",
    "destination": None,
    "currency": "EUR",
    "reason": "We have none left.",
    "total": "26.98",
    "lines": [
        {
            "sku": "S-1",
            "description": "Thing 1",
            "quantity": 2,
            "unit_price": "12.50",
            "total": "25.00",
        },
        {
            "sku": "S-2",
            "description": "Thing 2",
            "quantity": 2,
            "unit_price": "0.99",
            "total": "1.98",
        },
    ],
}
"""The order for two things of 12.50 and two of 0.99."""


def test_a_small_order_is_placed_after_one_approval(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, proposal = buyers.waiting("12.50", "0.99")
    version = buyers.shown(operation)
    assert version["content"] == SMALL
    assert (version["amount"], version["quorum"], version["html"], version["evidence"]) == (
        "26.98 EUR",
        1,
        None,
        None,
    )
    answer = buyers.decide(operation, proposal)
    assert answer.json()["status"] == "approved"
    done = buyers.until_state(operation, "ordered")
    [order] = purchasing.orders(operation)
    assert order["order"] == version["content"]
    assert done["receipt"]["order_number"] == order["order_number"]
    assert (done["receipt"]["total"], done["receipt"]["currency"]) == ("26.98", "EUR")
    buyers.host.until(lambda: buyers.operation(operation)["stage"] == "closed", "it is closed")
    assert buyers.types(operation) == [
        "OperationStarted",
        "WorkDone",
        "ProposalOpened",
        "DecisionRecorded",
        "ProposalApproved",
        "WriteClaimed",
        "ReceiptRecorded",
        "OperationClosed",
    ]
    report = buyers.host.call("GET", f"operations/{operation}/report", buyers.requester)
    assert code_of(report) == (404, "no_report")


@pytest.mark.parametrize(
    ("price", "quorum", "countersigner"),
    [
        ("500.00", 1, None),
        ("500.01", 2, None),
        ("25000.00", 2, None),
        ("25000.01", 2, "Purchase.Escalation"),
    ],
)
def test_the_amount_says_how_many_people_it_takes(
    buyers: Buyers, price: str, quorum: int, countersigner: str | None
) -> None:
    operation, _ = buyers.waiting(price)
    approvals = buyers.shown(operation)["approvals"]
    assert (approvals["quorum"], approvals["countersigner_role"]) == (quorum, countersigner)


def test_a_large_order_takes_two_approvers_and_one_more_of_the_escalation_role(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, proposal = buyers.waiting("30000.00")
    assert buyers.inbox(buyers.escalation, operation) == []
    first = buyers.decide(operation, proposal).json()
    assert first["status"] == "pending"
    assert first["approvals"]["missing_role"] == "Purchase.Approver"
    assert first["approvals"]["missing"] == (
        "Still to approve: 1 person as Purchase.Approver and 1 person as Purchase.Escalation."
    )
    again = buyers.decide(operation, proposal).json()
    assert (again["status"], again["receipt"]) == ("pending", first["receipt"])
    assert buyers.inbox(buyers.reviewer, operation) == []
    second = buyers.decide(operation, proposal, token=buyers.second).json()
    assert second["status"] == "pending"
    assert second["approvals"]["missing_role"] == "Purchase.Escalation"
    [row] = buyers.inbox(buyers.escalation, operation)
    assert (row["required_role"], row["amount"]) == ("Purchase.Escalation", "60,000.00 EUR")
    third = buyers.decide(operation, proposal, token=buyers.escalation).json()
    assert third["status"] == "approved"
    buyers.until_state(operation, "ordered")
    assert len(purchasing.orders(operation)) == 1


def test_somebody_with_both_roles_counts_once(buyers: Buyers) -> None:
    both = buyers.person("Bea", "Purchase.Approver", "Purchase.Escalation")
    operation, proposal = buyers.waiting("30000.00")
    assert buyers.decide(operation, proposal, token=both).json()["status"] == "pending"
    assert buyers.decide(operation, proposal).json()["status"] == "pending"
    assert buyers.decide(operation, proposal, token=buyers.second).json()["status"] == "approved"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"currency": "XTS"}, "currency"),
        ({"currency": "eur"}, "currency"),
        ({"vendor": " "}, "vendor"),
        ({"reason": ""}, "reason"),
        ({"lines": []}, "lines"),
        ({"lines": [{"sku": "a", "description": "b", "quantity": 1, "unit_price": 1.5}]}, "lines"),
        (
            {"lines": [{"sku": "a", "description": "b", "quantity": 1, "unit_price": "1.0000005"}]},
            "li",
        ),
        ({"lines": [{"sku": "a", "description": "b", "quantity": 1, "unit_price": "-1"}]}, "lines"),
        ({"lines": [{"sku": "a", "description": "b", "quantity": 1.0, "unit_price": "1"}]}, "li"),
        ({"lines": [{"sku": "a", "description": "b", "quantity": True, "unit_price": "1"}]}, "li"),
        ({"lines": [{"sku": "a", "description": "b", "quantity": 1, "unit_price": "1"}] * 2}, "l"),
        ({"total": "1.00"}, "total"),
        ({"approval": {"role": "Report.Reviewer"}}, "approval.role"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_by_its_field(
    buyers: Buyers, change: dict[str, Any], field: str
) -> None:
    answer = buyers.post(buyers.order(**change))
    assert code_of(answer) == (422, "malformed")
    assert any(name.startswith(field) for name in answer.json()["fields"])


def test_orders_that_were_there_before_are_for_a_person(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, proposal = buyers.waiting()
    body = {"reference": operation, "order": buyers.shown(operation)["content"]}
    there = [httpx.post(f"{purchasing.url}/orders", json=body).json() for _ in range(2)]
    buyers.decide(operation, proposal)
    done = buyers.until_state(operation, "write_unknown")
    assert all(order["order_number"] in done["outcome"]["reason"] for order in there)
    assert done["receipt"] is None
    assert len(purchasing.orders(operation)) == 2


def test_the_same_key_and_body_again_is_the_same_operation(buyers: Buyers) -> None:
    body = buyers.order("7.00")
    first = buyers.post(body, **{"Idempotency-Key": "one"})
    again = buyers.post(body, **{"Idempotency-Key": "one"})
    assert (first.status_code, again.status_code) == (202, 200)
    assert first.json() == again.json()
    other = buyers.post(buyers.order("8.00"), **{"Idempotency-Key": "one"})
    assert code_of(other) == (409, "idempotency_conflict")


def test_who_may_only_report_can_neither_order_nor_read_nor_decide(buyers: Buyers) -> None:
    reporter = buyers.person("Nora", "Research.Requester", "Report.Reviewer", "Report.Escalation")
    operation, proposal = buyers.waiting()
    asked = buyers.host.call("POST", "purchases", reporter, json=buyers.order())
    assert code_of(asked) == (403, "not_authorised")
    read = buyers.host.call("GET", f"operations/{operation}/proposals/1", reporter)
    assert code_of(read) == (403, "not_authorised")
    decided = buyers.decide(operation, proposal, token=reporter)
    assert code_of(decided) == (403, "not_authorised")
    assert "Purchase.Approver" in decided.json()["detail"]


def test_nobody_approves_what_they_asked_for(buyers: Buyers) -> None:
    rita = buyers.person("Rita", "Purchase.Requester", "Purchase.Approver", "Purchase.Escalation")
    operation, proposal = buyers.waiting()
    assert code_of(buyers.decide(operation, proposal, token=rita)) == (403, "own_request")


def test_there_is_nobody_to_ask_about_an_order(buyers: Buyers) -> None:
    operation, _ = buyers.waiting()
    path = f"operations/{operation}/proposals/1/questions"
    asked = buyers.host.call("POST", path, buyers.reviewer, json={"question": "Why so many?"})
    assert code_of(asked) == (422, "malformed")
