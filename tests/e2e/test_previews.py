"""A decision can be looked at before it is made: what it would change, and who has to approve."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from testbed.buyers import Buyers
from testbed.desk import Desk


def previewed(
    desk: Desk, operation: str, proposal: dict[str, Any], decision: str, **body: Any
) -> httpx.Response:
    return desk.host.call(
        "POST",
        f"operations/{operation}/proposals/{proposal['version']}/preview",
        body.pop("token", desk.reviewer),
        json={"decision": decision, "digest": proposal["digest"], **body},
    )


def seen(*args: Any, **body: Any) -> dict[str, Any]:
    answer = previewed(*args, **body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def people(approvals: dict[str, Any]) -> list[tuple[int, list[str]]]:
    return [(each["count"], each["roles"]) for each in approvals["needed"]]


def test_looking_at_a_decision_records_nothing(desk: Desk) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    before = desk.history(operation)
    for decision, status in (("approve", "approved"), ("reject", "rejected")):
        told = seen(desk, operation, proposal, decision, comment="Because.")
        assert (told["status"], told["correction"]) == (status, None)
    corrected = {"correction": {"text": "# Mine\n"}}
    assert seen(desk, operation, proposal, "revise", **corrected)["status"] == "superseded"
    assert desk.history(operation) == before
    assert desk.operation(operation)["state"] == "awaiting_approval"


@pytest.mark.parametrize(
    ("lines", "widened", "needed"),
    [
        # Fewer pieces
        ([{"sku": "S-1", "quantity": 1}], [], [(1, ["Purchase.Approver"])]),
        # More than one approver is enough for: the corrector, and another one
        (
            [{"sku": "S-1", "quantity": 20}],
            ["lines.S-1.quantity", "total"],
            [(2, ["Purchase.Approver"])],
        ),
        # More than approvers can approve among themselves
        (
            [{"sku": "S-1", "quantity": 1000}],
            ["lines.S-1.quantity", "total"],
            [(2, ["Purchase.Approver"]), (1, ["Purchase.Escalation"])],
        ),
    ],
)
def test_a_correction_is_seen_as_it_then_is(
    buyers: Buyers,
    lines: list[dict[str, Any]],
    widened: list[str],
    needed: list[tuple[int, list[str]]],
) -> None:
    operation, proposal = buyers.waiting("100.00")
    body = {"correction": {"lines": lines}, "comment": "As agreed."}
    told = seen(buyers, operation, proposal, "revise", **body)["correction"]
    assert (told["version"], told["widened"]) == (2, widened)
    assert people(told["approvals"]) == needed
    decided = buyers.decide(operation, proposal, "revise", **body).json()
    assert decided["correction"] == {"widened": told["widened"], "rule": told["rule"]}
    buyers.until_version(operation, 2)
    version = buyers.shown(operation, 2)
    assert version["approvals"] == told["approvals"]
    assert version["changes"] == told["changes"]


def test_an_approval_that_is_not_enough_tells_who_has_to_follow(buyers: Buyers) -> None:
    operation, proposal = buyers.waiting("600.00")
    told = seen(buyers, operation, proposal, "approve")
    assert told["status"] == "pending"
    assert people(told["approvals"]) == [(1, ["Purchase.Approver"])]


def test_what_could_not_be_decided_can_not_be_looked_at_either(desk: Desk) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    wrong = {**proposal, "digest": "0" * 64}
    assert previewed(desk, operation, wrong, "approve").json()["code"] == "digest_mismatch"
    stranger = previewed(desk, operation, proposal, "approve", token=desk.requester)
    assert stranger.json()["code"] == "not_authorised"
    unsaid = previewed(desk, operation, proposal, "revise").json()
    assert (unsaid["code"], [*unsaid["fields"]]) == ("malformed", ["comment"])
    desk.decide(operation, proposal, "revise", correction={"text": "# Another\n"})
    desk.until_version(operation, 2)
    late = previewed(desk, operation, proposal, "approve", token=desk.second).json()
    assert (late["code"], late["current"]) == ("superseded", 2)


def test_a_correction_that_stands_is_seen_again_after_all_has_ended(desk: Desk) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    body: dict[str, Any] = {"correction": {"text": "# Mine\n"}}
    desk.decide(operation, proposal, "revise", **body)
    assert desk.host.call("POST", f"operations/{operation}/withdraw", desk.requester, json={})
    assert seen(desk, operation, proposal, "revise", **body)["status"] == "superseded"
