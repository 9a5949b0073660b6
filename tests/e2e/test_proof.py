"""Proofs from the running host: whoever may look takes them away, and they hold without it."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from countersign.approvals.digest import canonical, sha256
from countersign.proof.check import ProvenOperation, check
from countersign.proof.public_key import PublicKey, public_key
from countersign.proof.verify import PROVEN, WRONG, main
from local.proof_key import NAME
from testbed.buyers import Buyers
from testbed.purchasing import PurchasingService


def proof_of(desk: Any, operation: str, token: str | None = None) -> httpx.Response:
    return desk.host.call("GET", f"operations/{operation}/proof", token or desk.requester)


def key_of(desk: Any) -> PublicKey:
    answer = desk.host.call("GET", "proof-key")
    assert answer.status_code == 200, answer.text
    return public_key(answer.json()["public_key"])


def proven(desk: Any, operation: str, report: bytes | None = None) -> ProvenOperation:
    """What the bundle of an operation proves, which has to hold."""
    answer = proof_of(desk, operation)
    assert answer.status_code == 200, answer.text
    proof = check(answer.content, keys=[key_of(desk)], report=report)
    assert proof.development
    return proof


def until_closed(desk: Any, operation: str) -> None:
    desk.host.until(lambda: desk.operation(operation)["stage"] == "closed", "it is closed")


@pytest.fixture(scope="module")
def published(desk: Any) -> str:
    """A report that was corrected, approved by two and published."""
    operation = desk.ask()
    first = desk.until_version(operation)
    desk.decide(operation, first, "revise", correction={"text": "# My own words\n"})
    second = desk.until_version(operation, 2)
    for token in (desk.reviewer, desk.second):
        assert desk.decide(operation, second, token=token).status_code == 200
    desk.until_state(operation, "published")
    until_closed(desk, operation)
    return operation


def test_the_proof_of_a_published_report_holds_without_the_service(
    desk: Any, published: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = proof_of(desk, published)
    assert answer.headers["Content-Type"] == "application/json"
    disposition = answer.headers["Content-Disposition"]
    assert disposition == f'attachment; filename="{published}.proof.json"'
    assert answer.content == canonical(json.loads(answer.content))
    bundle, report = tmp_path / "bundle.json", tmp_path / "report.md"
    bundle.write_bytes(answer.content)
    published_text = desk.host.call("GET", f"operations/{published}/report", desk.requester)
    report.write_bytes(published_text.content)
    key = key_of(desk).text
    assert main([str(bundle), "--key", key, "--report", str(report)]) == PROVEN
    told = capsys.readouterr().out
    for name in ("Victor", "Wanda"):
        assert re.search(rf"approved by {name} \(id \S+\) as Report\.Reviewer", told)
    assert "The given file is what was written." in told
    assert "It is a development key" in told
    report.write_bytes(published_text.content + b" ")
    assert main([str(bundle), "--key", key, "--report", str(report)]) == WRONG


def test_what_was_published_has_an_attestation_and_what_waits_has_none(
    desk: Any, published: str
) -> None:
    def attestation_of(operation: str, token: str) -> httpx.Response:
        return desk.host.call("GET", f"operations/{operation}/attestation", token)

    answer = attestation_of(published, desk.requester)
    assert answer.status_code == 200, answer.text
    statement = json.loads(base64.b64decode(answer.json()["payload"]))
    report = desk.host.call("GET", f"operations/{published}/report", desk.requester)
    assert statement["subject"] == [
        {"name": published, "digest": {"sha256": sha256(report.content)}}
    ]
    waiting = desk.ask()
    desk.until_version(waiting)
    assert attestation_of(waiting, desk.requester).json()["code"] == "not_published"
    stranger = desk.person("Sam", "Purchase.Requester")
    assert attestation_of(published, stranger).json()["code"] == "not_authorised"


def test_its_rows_are_those_of_the_history(desk: Any, published: str) -> None:
    rows = json.loads(proof_of(desk, published).content)["rows"]
    history = desk.history(published)
    assert [row["hash"] for row in rows[: len(history)]] == [each["hash"] for each in history]


def test_whoever_may_look_at_a_proposal_may_take_the_proof(desk: Any, published: str) -> None:
    tokens = (
        desk.requester,
        desk.reviewer,
        desk.escalation,
        desk.person("Olaf", "Auditor"),
    )
    assert [proof_of(desk, published, each).status_code for each in tokens] == [200] * 4


@pytest.mark.parametrize("role", ["Research.Requester", "Purchase.Approver", "Purchase.Requester"])
def test_nobody_else_may(desk: Any, published: str, role: str) -> None:
    answer = proof_of(desk, published, desk.person("Sam", role))
    assert (answer.status_code, answer.json()["code"]) == (403, "not_authorised")


def test_in_another_tenant_and_without_a_token_there_is_nothing(
    desk: Any, published: str, desk_at: Callable[..., Any]
) -> None:
    foreign = desk_at(desk.host, tenant="fabrikam").person("Otto", "Auditor")
    answers = [
        proof_of(desk, published, foreign),
        proof_of(desk, "research-" + "0" * 24, desk.reviewer),
        proof_of(desk, "x", desk.reviewer),
    ]
    assert [each.status_code for each in answers] == [404] * 3
    anonymous = desk.host.call("GET", f"operations/{published}/proof")
    assert (anonymous.status_code, anonymous.json()["code"]) == (401, "unauthenticated")


def test_anyone_may_have_the_public_key_and_it_is_marked(desk: Any) -> None:
    described = desk.host.call("GET", "proof-key").json()
    assert described == {
        "algorithm": "Ed25519",
        "development": True,
        "key_id": key_of(desk).id,
        "public_key": key_of(desk).text,
    }


def test_the_private_key_shows_up_nowhere(desk: Any, published: str) -> None:
    file = desk.host.data / NAME
    secret = file.read_text("ascii").strip().removeprefix("development:")
    answers = (proof_of(desk, published), desk.host.call("GET", "proof-key"))
    assert all(secret not in answer.text for answer in answers)
    assert secret not in desk.host.log.read_text("utf-8", errors="replace")
    if os.name != "nt":
        assert file.stat().st_mode & 0o777 == 0o600


def test_an_operation_that_waits_or_was_rejected_has_its_proof_too(desk: Any) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    assert proven(desk, operation).operation.receipt is None
    desk.decide(operation, proposal, "reject", comment="Off the point.")
    desk.until_state(operation, "rejected")
    until_closed(desk, operation)
    closed = proven(desk, operation).operation.closed
    assert closed
    assert closed.outcome == "rejected"


def test_a_question_and_an_expiry_are_proven_with_the_rest(virtual_desk: Any) -> None:
    desk = virtual_desk
    operation = desk.ask(approval={"window_seconds": 3600})
    desk.until_version(operation)
    path = f"operations/{operation}/proposals/1/questions"
    question = {"question": "How does replay rebuild the state?"}
    assert desk.host.call("POST", path, desk.reviewer, json=question).status_code == 202
    desk.host.advance(3601)
    desk.until_version(operation, 2)
    desk.host.advance(3601)
    desk.until_state(operation, "expired")
    until_closed(desk, operation)
    types = {row["type"] for row in json.loads(proof_of(desk, operation).content)["rows"]}
    assert {"QuestionAsked", "ReminderDue", "ProposalExpired"} <= types
    assert proven(desk, operation).operation.closed


def test_an_order_is_proven_with_its_quorum_its_correction_and_its_receipt(
    buyers: Buyers, purchasing: PurchasingService
) -> None:
    operation, first = buyers.waiting("30000.00")
    correction = {"lines": [{"sku": "S-1", "quantity": 3}]}
    buyers.decide(operation, first, "revise", correction=correction)
    second = buyers.until_version(operation, 2)
    for token in (buyers.reviewer, buyers.second, buyers.escalation):
        assert buyers.decide(operation, second, token=token).status_code == 200
    buyers.until_state(operation, "ordered")
    until_closed(buyers, operation)
    [order] = purchasing.orders(operation)
    proof = proven(buyers, operation, report=canonical(order["order"]))
    assert len(proof.operation.proposals[1].approvals) == 3


def test_without_a_key_only_the_proofs_are_missing(
    make_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> None:
    desk = desk_at(make_host(COUNTERSIGN_PROOF_KEY="").start())
    operation = desk.ask()
    desk.until_version(operation)
    for answer in (proof_of(desk, operation), desk.host.call("GET", "proof-key")):
        assert (answer.status_code, answer.json()["code"]) == (503, "not_configured")
        assert "COUNTERSIGN_PROOF_KEY" in answer.json()["detail"]
