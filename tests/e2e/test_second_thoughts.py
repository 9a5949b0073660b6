"""Approvals that are taken back, kept after an escalation, or of somebody who lost the role."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import httpx
import pytest

from countersign.approvals.acts import is_act
from countersign.proof.check import check
from testbed.buyers import Buyers
from testbed.desk import Desk

DAY = 24 * 3600


def take_back(desk: Desk, operation: str, token: str, version: int = 1) -> httpx.Response:
    path = f"operations/{operation}/proposals/{version}/take-back"
    return desk.host.call("POST", path, token, json={})


def shown(desk: Desk, operation: str, token: str, version: int = 1) -> dict[str, Any]:
    path = f"operations/{operation}/proposals/{version}"
    return desk.host.call("GET", path, token).json()


@pytest.fixture
def pair(desk: Desk) -> tuple[str, dict[str, Any]]:
    """A report that waits for two approvals and has Victor's."""
    operation = desk.ask(approval={"quorum": 2})
    proposal = desk.until_version(operation)
    assert desk.decide(operation, proposal).json()["status"] == "pending"
    return operation, proposal


def test_an_approval_is_taken_back_and_both_stay_in_the_history(
    desk: Desk, pair: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = pair
    assert shown(desk, operation, desk.reviewer)["may"]["take_back"] is True
    answer = take_back(desk, operation, desk.reviewer)
    assert (answer.status_code, answer.json()["status"]) == (200, "pending")
    assert answer.json()["approvals"]["by"] == []
    again = take_back(desk, operation, desk.reviewer).json()
    # Meanwhile it may have reached the orchestration, or not.
    assert {**again, "delivery": ""} == {**answer.json(), "delivery": ""}
    [decision] = shown(desk, operation, desk.reviewer)["decisions"]
    assert decision["taken_back_at"] == answer.json()["at"]
    desk.decide(operation, proposal, token=desk.second)
    assert desk.operation(operation)["state"] == "awaiting_approval"
    desk.decide(operation, proposal)
    desk.until_state(operation, "published")
    types = [event["type"] for event in desk.history(operation)]
    assert types.count("DecisionRecorded") == 3
    assert types.count("ApprovalTakenBack") == 1
    check(desk.host.call("GET", f"operations/{operation}/proof", desk.requester).content)


def test_whatever_a_person_does_is_recorded_with_the_hash_of_their_token(
    desk: Desk, pair: tuple[str, dict[str, Any]]
) -> None:
    operation, _ = pair
    take_back(desk, operation, desk.reviewer)
    desk.host.call("POST", f"operations/{operation}/withdraw", desk.requester, json={})
    acts = [each for each in desk.history(operation) if is_act(each["type"])]
    by = {each["type"]: each["data"].get("token") for each in acts}
    requester, reviewer = (
        sha256(token.encode()).hexdigest() for token in (desk.requester, desk.reviewer)
    )
    assert by == {
        "OperationStarted": requester,
        "DecisionRecorded": reviewer,
        "ApprovalTakenBack": reviewer,
        "OperationWithdrawn": requester,
    }


def test_an_approval_becomes_a_rejection_and_its_reason_is_that_of_the_end(
    desk: Desk, pair: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = pair
    refused = desk.decide(operation, proposal, "reject", comment=" ")
    assert (refused.status_code, refused.json()["code"]) == (422, "malformed")
    assert "say why you reject this" in refused.json()["fields"]["comment"]
    answer = desk.decide(operation, proposal, "reject", comment="I overlooked the date.")
    assert (answer.status_code, answer.json()["status"]) == (200, "rejected")
    desk.host.until(lambda: desk.operation(operation)["outcome"], "it has ended")
    assert desk.operation(operation)["outcome"]["reason"] == "I overlooked the date."
    check(desk.host.call("GET", f"operations/{operation}/proof", desk.requester).content)


def test_a_withdrawal_gives_its_reason_to_the_end(desk: Desk) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    body = {"reason": "No longer needed."}
    desk.host.call("POST", f"operations/{operation}/withdraw", desk.requester, json=body)
    desk.host.until(lambda: desk.operation(operation)["outcome"], "it has ended")
    assert desk.operation(operation)["outcome"]["reason"] == "No longer needed."


def test_nobody_takes_back_what_is_decided_or_another_persons(
    desk: Desk, pair: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = pair
    other = take_back(desk, operation, desk.second)
    assert (other.status_code, other.json()["code"]) == (403, "not_authorised")
    desk.decide(operation, proposal, token=desk.second)
    late = take_back(desk, operation, desk.reviewer)
    assert (late.status_code, late.json()["code"]) == (409, "already_decided")
    assert take_back(desk, operation, desk.reviewer, version=9).status_code == 404


def test_an_approval_counts_by_the_roles_of_its_token(
    desk: Desk, pair: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = pair
    dismissed = desk.person("Victor")
    again = desk.decide(operation, proposal, "reject", token=dismissed)
    assert (again.status_code, again.json()["code"]) == (403, "not_authorised")
    assert desk.decide(operation, proposal, token=desk.second).json()["status"] == "approved"
    assert take_back(desk, operation, dismissed).status_code == 409


def test_whoever_lost_the_role_can_still_take_the_approval_back(
    desk: Desk, pair: tuple[str, dict[str, Any]]
) -> None:
    operation, _ = pair
    assert take_back(desk, operation, desk.person("Victor")).status_code == 200


def test_a_firm_with_one_chief_places_a_large_order_after_an_escalation(
    buyers: Buyers,
) -> None:
    operation, first = buyers.waiting("30000.00")
    for token in (buyers.reviewer, buyers.second):
        assert buyers.decide(operation, first, token=token).json()["status"] == "pending"
    buyers.host.advance(DAY)
    second = buyers.until_version(operation, 2)
    assert (second["required_role"], second["asked_before"]) == (
        "Purchase.Escalation",
        "Purchase.Approver",
    )
    version = buyers.shown(operation, 2)
    assert [each["name"] for each in version["approvals"]["by"]] == ["Victor", "Wanda"]
    assert [each["version"] for each in version["decisions"]] == [1, 1]
    assert version["approvals"]["needed"] == [{"count": 1, "roles": ["Purchase.Escalation"]}]
    [row] = buyers.inbox(buyers.escalation, operation)
    assert row["version"] == 2
    assert buyers.decide(operation, second).json()["code"] == "already_decided"
    answer = buyers.decide(operation, second, token=buyers.escalation)
    assert answer.json()["status"] == "approved"
    buyers.until_state(operation, "ordered")
    check(buyers.host.call("GET", f"operations/{operation}/proof", buyers.requester).content)


def test_who_can_still_approve_after_an_escalation_finds_it_in_the_inbox(buyers: Buyers) -> None:
    operation, first = buyers.waiting("30000.00")
    buyers.decide(operation, first, token=buyers.reviewer)
    buyers.host.advance(DAY)
    second = buyers.until_version(operation, 2)
    for token in (buyers.second, buyers.escalation):
        [row] = buyers.inbox(token, operation)
        assert row["awaited_roles"] == ["Purchase.Escalation", "Purchase.Approver"]
    assert buyers.inbox(buyers.reviewer, operation) == []
    buyers.decide(operation, second, token=buyers.second)
    [row] = buyers.inbox(buyers.escalation, operation)
    assert row["awaited_roles"] == ["Purchase.Escalation"]
