"""Every row of the decision endpoint's table, asked of the running host."""

from __future__ import annotations

from typing import Any

import pytest

PATH = "operations/{}/proposals/{}/decision"


def code_of(answer: Any) -> tuple[int, str]:
    assert answer.headers["Content-Type"].startswith("application/problem+json")
    document = answer.json()
    assert document["status"] == answer.status_code
    assert document["detail"]
    return answer.status_code, document["code"]


def ended(desk: Any, state: str) -> tuple[str, dict[str, Any]]:
    """An operation whose first version was decided."""
    operation = desk.ask()
    proposal = desk.until_version(operation)
    assert desk.decide(operation, proposal, "approve").status_code == 200
    desk.until_state(operation, state)
    return operation, proposal


@pytest.fixture(scope="module")
def published(desk: Any) -> tuple[str, dict[str, Any]]:
    return ended(desk, "published")


@pytest.fixture(scope="module")
def waiting(desk: Any) -> tuple[str, dict[str, Any]]:
    """An operation that nobody decides in this module."""
    operation = desk.ask()
    return operation, desk.until_version(operation)


def test_a_recorded_decision_is_answered_with_its_receipt(desk: Any) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    answer = desk.decide(operation, proposal)
    assert answer.status_code == 200
    body = answer.json()
    # Where the gate can't be reached in its first moments, the decision is found a little later.
    assert body["delivery"] in {"delivered", "pending"}
    assert body["status"] == "approved"
    receipt = body["receipt"]
    assert (receipt["operation_id"], receipt["version"]) == (operation, 1)
    assert (receipt["decision"], receipt["by"]) == ("approve", "Victor")
    [recorded] = [each for each in desk.history(operation) if each["type"] == "DecisionRecorded"]
    assert (recorded["sequence"], recorded["actor"]["name"]) == (receipt["sequence"], "Victor")
    desk.until_state(operation, "published")


def test_the_same_decision_again_gets_the_first_receipt(
    desk: Any, published: tuple[str, dict[str, Any]]
) -> None:
    again = [desk.decide(*published), desk.decide(*published)]
    assert [each.status_code for each in again] == [200, 200]
    assert again[0].json()["receipt"] == again[1].json()["receipt"]
    # Until its operation is closed there may be no gate that a ring could reach.
    desk.host.until(
        lambda: desk.decide(*published).json()["delivery"] == "delivered", "its gate has heard"
    )
    decisions = [e for e in desk.history(published[0]) if e["type"] == "DecisionRecorded"]
    assert len(decisions) == 1


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_another_decision_stands(
    desk: Any, published: tuple[str, dict[str, Any]], decision: str
) -> None:
    answer = desk.decide(*published, decision, token=desk.second)
    assert code_of(answer) == (409, "already_decided")
    document = answer.json()
    assert (document["by"], document["decision"]) == ("Victor", "approve")
    assert document["at"]


def test_a_newer_version_exists(desk: Any) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    assert desk.decide(operation, first, "revise", comment="Make it shorter.").status_code == 200
    desk.until_version(operation, 2)
    answer = desk.decide(operation, first, token=desk.second)
    assert code_of(answer) == (409, "superseded")
    document = answer.json()
    assert document["current"] == 2
    assert document["proposal_url"] == f"{desk.host.url}/api/operations/{operation}/proposals/2"
    assert document["changes"]["why"] == "Make it shorter."


def test_the_deadline_passed_and_it_was_escalated(desk: Any) -> None:
    operation = desk.ask(approval={"window_seconds": 1})
    first = desk.until_version(operation)
    desk.until_version(operation, 2)
    answer = desk.decide(operation, first)
    assert code_of(answer) == (410, "expired")
    assert answer.json()["escalated_to"] == "Report.Escalation"
    assert answer.json()["at"] == first["expires_at"]


def test_the_digest_is_not_this_versions(
    desk: Any, waiting: tuple[str, dict[str, Any]], published: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = waiting
    answer = desk.decide(operation, {**proposal, "digest": published[1]["digest"]})
    assert code_of(answer) == (409, "digest_mismatch")
    assert answer.json()["current"] == proposal["digest"]


def test_the_role_is_missing(desk: Any, waiting: tuple[str, dict[str, Any]]) -> None:
    for token in (desk.requester, desk.escalation, desk.host.token("Nobody")):
        assert code_of(desk.decide(*waiting, token=token)) == (403, "not_authorised")


def test_what_somebody_without_a_role_sends_is_not_even_read(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    path = PATH.format(waiting[0], 1)
    answer = desk.host.call("POST", path, desk.requester, content=b"no JSON")
    assert code_of(answer) == (403, "not_authorised")


def test_nobody_decides_about_their_own_request(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    both = desk.host.token("Rita", "Research.Requester", "Report.Reviewer")
    for decision in ("approve", "reject"):
        assert code_of(desk.decide(*waiting, decision, token=both)) == (403, "own_request")


@pytest.mark.parametrize(
    "token",
    [
        None,  # nobody
        "nonsense",  # not a token
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",  # an unsigned one
    ],
)
def test_no_token_or_a_bad_one_proves_nobody(
    desk: Any, waiting: tuple[str, dict[str, Any]], token: str | None
) -> None:
    operation, proposal = waiting
    body = {"decision": "approve", "digest": proposal["digest"]}
    answer = desk.host.call("POST", PATH.format(operation, 1), token, json=body)
    assert code_of(answer) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_what_is_unknown_or_another_tenants_is_not_found(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = waiting
    stranger = desk.host.token("Olga", "Report.Reviewer", tenant="elsewhere")
    assert code_of(desk.decide(operation, proposal, token=stranger)) == (404, "not_found")
    unknown = f"research-{'0' * 24}"
    assert code_of(desk.decide(unknown, proposal)) == (404, "not_found")
    for version in (2, 0, "one", "1e0", "..."):
        path = PATH.format(operation, version)
        answer = desk.host.call("POST", path, desk.reviewer, json={})
        assert code_of(answer) == (404, "not_found")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"decision": "yes"}, "decision"),  # not in the enum
        ({"decision": True}, "decision"),  # no truthiness
        ({"decision": "Approve"}, "decision"),  # no near miss
        ({"decision": None}, "decision"),
        ({"digest": "abc"}, "digest"),
        ({"digest": 7}, "digest"),
        ({"approved": True}, "approved"),  # unknown fields are refused
        ({"comment": ["x"]}, "comment"),
        ({"comment": "x" * 5_001}, "comment"),
        ({"correction": "text"}, "correction"),
        ({"comment": "fine\u202e"}, "comment"),  # what it says is not what it shows
        ({"decision": "revise", "correction": {"text": "fine\x1b[8m"}}, "correction"),
        ({"correction": {"text": "New."}}, "correction"),  # an approval can't carry one
    ],
)
def test_a_malformed_decision_is_refused_with_its_fields(
    desk: Any, waiting: tuple[str, dict[str, Any]], change: dict[str, Any], field: str
) -> None:
    operation, proposal = waiting
    body = {"decision": "approve", "digest": proposal["digest"], **change}
    answer = desk.host.call("POST", PATH.format(operation, 1), desk.reviewer, json=body)
    assert code_of(answer) == (422, "malformed")
    assert any(name.startswith(field) for name in answer.json()["fields"])


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"decision": NaN}',
        b'{"decision": "reject", "decision": "approve"}',
        b"[" * 100_000,
        b'{"decision": "revise", "comment": "\\ud800"}',
    ],
)
def test_a_body_that_is_no_json_object_is_malformed(
    desk: Any, waiting: tuple[str, dict[str, Any]], raw: bytes
) -> None:
    path = PATH.format(waiting[0], 1)
    headers = {"Content-Type": "application/json"}
    answer = desk.host.call("POST", path, desk.reviewer, content=raw, headers=headers)
    assert code_of(answer) == (422, "malformed")


def test_a_revision_without_a_wish_is_malformed(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    assert code_of(desk.decide(*waiting, "revise")) == (422, "malformed")


def test_a_body_that_is_too_large_is_refused(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    answer = desk.decide(*waiting, "revise", comment="x" * 5_100_000)
    assert code_of(answer) == (413, "too_large")


def test_looking_changes_nothing(desk: Any, waiting: tuple[str, dict[str, Any]]) -> None:
    operation, _ = waiting
    before = desk.history(operation)
    for method in ("GET", "HEAD"):
        for path in (PATH.format(operation, 1), f"operations/{operation}/withdraw"):
            assert desk.host.call(method, path, desk.reviewer).status_code in {404, 405}
        desk.host.call(method, f"operations/{operation}/proposals/1", desk.reviewer)
    assert desk.history(operation) == before
