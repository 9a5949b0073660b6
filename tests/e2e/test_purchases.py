"""Orders at the running host: asked for, corrected, decided by enough people, and placed once."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import Any

import httpx
import pytest

from testbed.buyers import Buyers
from testbed.purchasing import PurchasingService

DAY = 86_400.0


@pytest.fixture
def buyers_in_real_time(make_host: Callable[..., Any], purchasing: PurchasingService) -> Buyers:
    return Buyers(make_host(COUNTERSIGN_PURCHASING_URL=purchasing.url).start())


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def shown(buyers: Buyers, operation: str, version: int = 1) -> dict[str, Any]:
    path = f"operations/{operation}/proposals/{version}"
    answer = buyers.host.call("GET", path, buyers.reviewer)
    assert answer.status_code == 200, answer.text
    return answer.json()


def inbox(buyers: Buyers, token: str, operation: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    cursor = ""
    while True:
        path = f"proposals?limit=100{cursor}"
        page = buyers.host.call("GET", path, token).json()
        rows += page["proposals"]
        if page["cursor"] is None:
            return [row for row in rows if row["operation_id"] == operation]
        cursor = f"&cursor={page['cursor']}"


def wait_until(moment: datetime) -> None:
    while datetime.now(timezone.utc) < moment:
        time.sleep(0.002)


def types(buyers: Buyers, operation: str) -> list[str]:
    return [event["type"] for event in buyers.history(operation)]


def test_a_small_order_is_placed_after_one_approval(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, proposal = buyers.waiting("12.50", "0.99")
    version = shown(buyers, operation)
    assert version["content"] == {
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
    assert types(buyers, operation) == [
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
    approvals = shown(buyers, operation)["approvals"]
    assert (approvals["quorum"], approvals["countersigner_role"]) == (quorum, countersigner)


def test_a_large_order_takes_two_approvers_and_one_more_of_the_escalation_role(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, proposal = buyers.waiting("30000.00")
    assert inbox(buyers, buyers.escalation, operation) == []
    first = buyers.decide(operation, proposal).json()
    assert first["status"] == "pending"
    assert first["approvals"]["missing_role"] == "Purchase.Approver"
    again = buyers.decide(operation, proposal).json()
    assert (again["status"], again["receipt"]) == ("pending", first["receipt"])
    assert inbox(buyers, buyers.reviewer, operation) == []
    second = buyers.decide(operation, proposal, token=buyers.second).json()
    assert second["status"] == "pending"
    assert second["approvals"]["missing_role"] == "Purchase.Escalation"
    [row] = inbox(buyers, buyers.escalation, operation)
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
    version = shown(buyers, operation, 2)
    assert version["approvals"]["by"] == []
    assert version["approvals"]["correctors"] == ["Victor"]
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
    buyers.until_state(operation, "ordered")
    [order] = purchasing.orders(operation)
    assert order["order"]["total"] == "500.00"


def test_a_correction_that_only_lowers_is_approved_by_its_corrector(buyers: Buyers) -> None:
    operation, first = buyers.waiting("100.00", "10.00")
    less = {"lines": [{"sku": "S-1", "quantity": 1}]}
    sent_back = buyers.decide(operation, first, "revise", correction=less).json()
    assert sent_back["correction"] == {"widened": [], "rule": None}
    second = buyers.until_version(operation, 2)
    [kept, struck] = shown(buyers, operation, 2)["changes"]["lines"]
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
    approvals = shown(buyers, operation, 2)["approvals"]
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


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"currency": "XTS"}, "currency"),
        ({"currency": "eur"}, "currency"),
        ({"vendor": " "}, "vendor"),
        ({"reason": ""}, "reason"),
        ({"lines": []}, "lines"),
        ({"lines": [{"sku": "a", "description": "b", "quantity": 1, "unit_price": 1.5}]}, "lines"),
        ({"lines": [{"sku": "a", "description": "b", "quantity": 1, "unit_price": "1.505"}]}, "li"),
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
    body = {"reference": operation, "order": shown(buyers, operation)["content"]}
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


def test_two_days_without_an_answer_escalate_and_expire(buyers: Buyers) -> None:
    operation, first = buyers.waiting()
    buyers.host.advance(DAY - 1)
    assert buyers.operation(operation)["proposal"]["status"] == "pending"
    buyers.host.advance(1)
    second = buyers.until_version(operation, 2)
    assert (second["origin"], second["required_role"]) == ("escalation", "Purchase.Escalation")
    late = buyers.decide(operation, first)
    assert code_of(late) == (410, "expired")
    assert late.json()["escalated_to"] == "Purchase.Escalation"
    buyers.host.advance(DAY)
    later = buyers.decide(operation, second, token=buyers.escalation)
    assert code_of(later) == (410, "expired")
    assert buyers.until_state(operation, "expired")["receipt"] is None


def test_an_escalated_order_is_approved_by_the_escalation_role(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, _ = buyers.waiting()
    buyers.host.advance(DAY)
    second = buyers.until_version(operation, 2)
    assert code_of(buyers.decide(operation, second)) == (403, "not_authorised")
    decided = buyers.decide(operation, second, token=buyers.escalation)
    assert decided.json()["status"] == "approved"
    buyers.until_state(operation, "ordered")
    assert len(purchasing.orders(operation)) == 1


def test_a_decision_after_a_downtime_that_spans_the_deadline_is_late(
    buyers_in_real_time: Buyers, purchasing: PurchasingService
) -> None:
    buyers = buyers_in_real_time
    operation, proposal = buyers.waiting(approval={"window_seconds": 2})
    buyers.host.process.kill()
    wait_until(datetime.fromisoformat(proposal["expires_at"]))
    buyers.host.start()
    assert code_of(buyers.decide(operation, proposal)) == (410, "expired")
    assert buyers.until_state(operation, "expired")["receipt"] is None
    assert buyers.operation(operation)["proposal"]["origin"] == "escalation"
    assert purchasing.orders(operation) == []


def test_in_the_moments_around_the_deadline_each_decision_is_either_in_time_or_late(
    buyers_in_real_time: Buyers, purchasing: PurchasingService
) -> None:
    buyers = buyers_in_real_time
    waiting = [buyers.waiting(approval={"window_seconds": 3}) for _ in range(8)]

    def decide(number: int, operation: str, proposal: dict[str, Any]) -> httpx.Response:
        before = timedelta(milliseconds=15 * (4 - number))
        wait_until(datetime.fromisoformat(proposal["expires_at"]) - before)
        return buyers.decide(operation, proposal)

    with ThreadPoolExecutor(8) as people:
        decided = [people.submit(decide, n, *each) for n, each in enumerate(waiting)]
    for (operation, proposal), future in zip(waiting, decided, strict=True):
        answer = future.result()
        if answer.status_code == 200:
            at = datetime.fromisoformat(answer.json()["receipt"]["at"])
            assert at < datetime.fromisoformat(proposal["expires_at"])
            buyers.until_state(operation, "ordered")
        else:
            assert code_of(answer) == (410, "expired")
            assert purchasing.orders(operation) == []


def test_an_order_is_withdrawn_while_it_waits_and_not_after_it_was_placed(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, proposal = buyers.waiting()
    path = f"operations/{operation}/withdraw"
    assert code_of(buyers.host.call("POST", path, buyers.reviewer, json={})) == (
        403,
        "not_authorised",
    )
    withdrawn = buyers.host.call("POST", path, buyers.requester, json={"reason": "found some"})
    assert withdrawn.status_code == 200
    assert code_of(buyers.decide(operation, proposal)) == (409, "already_decided")
    buyers.until_state(operation, "withdrawn")
    assert purchasing.orders(operation) == []

    placed, proposal = buyers.waiting()
    buyers.decide(placed, proposal)
    buyers.until_state(placed, "ordered")
    late = buyers.host.call("POST", f"operations/{placed}/withdraw", buyers.requester, json={})
    assert code_of(late) == (409, "already_decided")


def test_an_approval_and_a_withdrawal_at_once_leave_one_truth(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    waiting = [buyers.waiting() for _ in range(4)]

    def withdraw(operation: str) -> int:
        path = f"operations/{operation}/withdraw"
        return buyers.host.call("POST", path, buyers.requester, json={}).status_code

    with ThreadPoolExecutor(8) as people:
        approved = [people.submit(buyers.decide, *each) for each in waiting]
        withdrawn = [people.submit(withdraw, operation) for operation, _ in waiting]
    for (operation, _), approval, withdrawal in zip(waiting, approved, withdrawn, strict=True):
        done = buyers.until_state(operation, "ordered", "withdrawn")
        took_back = withdrawal.result() == 200
        assert done["state"] == ("withdrawn" if took_back else "ordered")
        assert took_back or approval.result().status_code == 200
        assert len(purchasing.orders(operation)) == (not took_back)


def test_two_approvers_at_once_are_both_counted(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, proposal = buyers.waiting("600.00")
    with ThreadPoolExecutor(4) as people:
        answers = [
            people.submit(buyers.decide, operation, proposal, token=token)
            for token in (buyers.reviewer, buyers.second, buyers.reviewer, buyers.second)
        ]
    assert {each.result().status_code for each in answers} == {200}
    buyers.until_state(operation, "ordered")
    assert types(buyers, operation).count("DecisionRecorded") == 2
    assert len(purchasing.orders(operation)) == 1
