"""Orders at the running host when it matters what came first: deadlines, withdrawals, races."""

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


def wait_until(moment: datetime) -> None:
    while datetime.now(timezone.utc) < moment:
        time.sleep(0.002)


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
    nobody = buyers.person("Nobody")
    assert code_of(buyers.decide(operation, second, token=nobody)) == (403, "not_authorised")
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
    assert buyers.types(operation).count("DecisionRecorded") == 2
    assert len(purchasing.orders(operation)) == 1
