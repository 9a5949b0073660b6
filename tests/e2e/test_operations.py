"""Operations from start to end at the running host."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import pytest

from countersign.settings import SAMPLE_LIBRARY
from countersign.team.colophon import edited


def types(history: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in history]


def test_a_request_becomes_a_published_report_with_a_receipt(desk: Any) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    shown = desk.host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer).json()
    assert shown["digest"] == proposal["digest"]
    assert desk.decide(operation, proposal).status_code == 200
    done = desk.until_state(operation, "published")
    report = desk.host.call("GET", f"operations/{operation}/report", desk.requester)
    assert report.status_code == 200
    assert report.headers["Content-Type"].startswith("text/markdown")
    assert report.text == shown["content"]["text"]
    published = desk.host.data / "reports" / done["receipt"]["location"]
    assert published.read_text("utf-8") == report.text
    desk.host.until(lambda: desk.operation(operation)["stage"] == "closed", "it is closed")
    assert types(desk.history(operation))[-5:] == [
        "DecisionRecorded",
        "ProposalApproved",
        "WriteClaimed",
        "ReceiptRecorded",
        "OperationClosed",
    ]


def test_every_quote_of_a_report_is_shown_with_its_source_and_verdict(desk: Any) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    shown = desk.host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer).json()
    evidence = shown["evidence"]
    assert evidence["claims"]
    assert all(claim["found"] for claim in evidence["claims"] if claim["supported"])
    assert {each["id"] for each in evidence["sources"]} >= {
        claim["source"] for claim in evidence["claims"] if claim["supported"]
    }
    assert shown["html"].startswith("<h1>")


def test_a_topic_that_the_sources_say_nothing_about_needs_revision(desk: Any) -> None:
    operation = desk.ask("The breeding habits of the lesser spotted quokka")
    done = desk.until_state(operation, "needs_revision", "awaiting_approval")
    assert done["state"] == "needs_revision"
    assert done["outcome"]["reason"].startswith("Nothing on this topic")
    assert "ProposalOpened" not in types(desk.history(operation))


def test_documents_in_the_request_are_researched_instead_of_the_library(desk: Any) -> None:
    text = "Tidal mills grind grain with the ebb. A tidal mill stores the flood behind a gate."
    operation = desk.ask(
        "Tidal mills", documents=[{"title": "Mills", "text": text, "url": "https://mills.example"}]
    )
    desk.until_version(operation)
    shown = desk.host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer).json()
    [source] = shown["evidence"]["sources"]
    assert (source["title"], source["origin"]["kind"]) == ("Mills", "request")
    assert source["origin"]["digest"] == hashlib.sha256(text.encode()).hexdigest()
    # Nobody has read that address, so it is text: nothing of the report leads there.
    assert "https\\://mills.example" in shown["content"]["text"]
    assert "href" not in shown["html"]


def test_a_revision_makes_a_second_version_that_inherits_no_approval(desk: Any) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    asked = desk.decide(operation, first, "revise", comment="Make it shorter.")
    assert asked.json()["status"] == "superseded"
    second = desk.until_version(operation, 2)
    assert second["digest"] != first["digest"]
    assert second["origin"] == "revision"
    shown = desk.host.call("GET", f"operations/{operation}/proposals/2", desk.second).json()
    assert shown["changes"]["words"]
    assert shown["decisions"] == []
    assert shown["approvals"]["correctors"] == ["Victor"]
    assert desk.decide(operation, second).json()["status"] == "pending"
    assert desk.decide(operation, second, token=desk.second).json()["status"] == "approved"
    desk.until_state(operation, "published")


def test_a_corrector_alone_cant_approve_their_own_text(desk: Any) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    text = "# My own words\n\nEntirely.\n"
    desk.decide(operation, first, "revise", correction={"text": text})
    second = desk.until_version(operation, 2)
    assert second["origin"] == "correction"
    mine = desk.decide(operation, second)
    assert (mine.status_code, mine.json()["status"]) == (200, "pending")
    theirs = desk.decide(operation, second, token=desk.second)
    assert theirs.json()["status"] == "approved"
    desk.until_state(operation, "published")
    report = desk.host.call("GET", f"operations/{operation}/report", desk.requester)
    assert report.text == edited(text)


def test_a_rejection_closes_the_operation_and_writes_nothing(desk: Any) -> None:
    operation = desk.ask()
    desk.decide(operation, desk.until_version(operation), "reject", comment="Off the point.")
    done = desk.until_state(operation, "rejected")
    assert done["receipt"] is None
    report = desk.host.call("GET", f"operations/{operation}/report", desk.requester)
    assert report.json()["code"] == "not_published"


def test_two_people_have_to_approve_where_the_quorum_is_two(desk: Any) -> None:
    operation = desk.ask(approval={"quorum": 2})
    proposal = desk.until_version(operation)
    assert desk.decide(operation, proposal).json()["status"] == "pending"
    assert desk.decide(operation, proposal).json()["status"] == "pending"
    assert desk.decide(operation, proposal, token=desk.second).json()["status"] == "approved"
    desk.until_state(operation, "published")


def test_silence_escalates_once_and_then_expires(desk: Any) -> None:
    operation = desk.ask(approval={"window_seconds": 1})
    done = desk.until_state(operation, "expired")
    assert done["receipt"] is None
    opened = [e for e in desk.history(operation) if e["type"] == "ProposalOpened"]
    roles = [event["data"]["required_role"] for event in opened]
    assert roles == ["Report.Reviewer", "Report.Escalation"]


def test_whoever_it_was_escalated_to_can_approve(desk: Any) -> None:
    operation = desk.ask(approval={"window_seconds": 2})
    second = desk.until_version(operation, 2)
    nobody = desk.person("Nobody")
    assert desk.decide(operation, second, token=nobody).json()["code"] == "not_authorised"
    assert desk.decide(operation, second, token=desk.escalation).status_code == 200
    desk.until_state(operation, "published")


def test_a_withdrawal_while_waiting_closes_the_operation(desk: Any) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    path = f"operations/{operation}/withdraw"
    refused = desk.host.call("POST", path, desk.reviewer, json={})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_authorised")
    for _ in range(2):
        answer = desk.host.call("POST", path, desk.requester, json={"reason": "Not needed."})
        assert (answer.status_code, answer.json()["state"]) == (200, "withdrawn")
    late = desk.decide(operation, proposal)
    assert (late.status_code, late.json()["decision"]) == (409, "withdraw")
    done = desk.until_state(operation, "withdrawn")
    desk.host.until(lambda: desk.operation(operation)["stage"] == "closed", "it is closed")
    assert done["receipt"] is None


def test_a_withdrawal_during_research_stops_the_work(desk: Any) -> None:
    operation = desk.ask()
    path = f"operations/{operation}/withdraw"
    answer = desk.host.call("POST", path, desk.requester, json={})
    assert answer.status_code == 200
    desk.host.until(lambda: desk.operation(operation)["stage"] == "closed", "it is closed")
    assert desk.operation(operation)["state"] == "withdrawn"


def test_a_published_report_cant_be_withdrawn(desk: Any) -> None:
    operation = desk.ask()
    desk.decide(operation, desk.until_version(operation))
    desk.until_state(operation, "published")
    path = f"operations/{operation}/withdraw"
    answer = desk.host.call("POST", path, desk.requester, json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "already_decided")


def test_the_same_key_and_body_start_one_operation(desk: Any) -> None:
    headers = {"Idempotency-Key": "k-1"}
    body = {"topic": desk.TOPIC, "subtopics": ["Replay"]}
    first = desk.host.call("POST", "research", desk.requester, json=body, headers=headers)
    again = desk.host.call("POST", "research", desk.requester, json=body, headers=headers)
    assert (first.status_code, again.status_code) == (202, 200)
    assert first.json() == again.json()
    other = desk.host.call(
        "POST", "research", desk.requester, json={**body, "subtopics": ["Timers"]}, headers=headers
    )
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")


def test_the_key_of_one_person_means_nothing_for_another(desk: Any) -> None:
    headers = {"Idempotency-Key": "k-2"}
    body = {"topic": desk.TOPIC, "subtopics": ["Replay"]}
    other = desk.host.token("Ralf", "Research.Requester")
    answers = [
        desk.host.call("POST", "research", token, json=body, headers=headers)
        for token in (desk.requester, other)
    ]
    assert [each.status_code for each in answers] == [202, 202]
    assert answers[0].json()["operation_id"] != answers[1].json()["operation_id"]


def test_only_a_requester_can_ask(desk: Any) -> None:
    answer = desk.host.call("POST", "research", desk.reviewer, json={"topic": "x"})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_authorised")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"topic": ""},
        {"topic": "x" * 301},
        {"topic": "two\nlines"},
        {"topic": "turned \u202eround"},
        {"topic": "two\u2028lines"},
        {"topic": "\u200b\u200b"},
        {"topic": "x", "subtopics": []},
        {"topic": "x", "approval": {"quorum": 0}},
        {"topic": "x", "approval": {"quorum": True}},
        {"topic": "x", "approval": {"window_seconds": 0}},
        {"topic": "x", "approval": {"role": "Research.Requester"}},
        {"topic": "x", "documents": [{"title": "t", "text": "t", "url": "javascript:alert(1)"}]},
        {"topic": "x", "approved": True},
    ],
)
def test_a_malformed_request_is_refused(desk: Any, body: dict[str, Any]) -> None:
    answer = desk.host.call("POST", "research", desk.requester, json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


def test_the_inbox_has_what_the_caller_may_decide(desk: Any) -> None:
    operation = desk.ask()
    desk.until_version(operation)

    def inbox(token: str) -> set[str]:
        answer = desk.host.call("GET", "proposals?status=pending&limit=100", token)
        return {each["operation_id"] for each in answer.json()["proposals"]}

    desk.host.until(lambda: operation in inbox(desk.reviewer), "the index has heard of it")
    assert operation not in inbox(desk.escalation)
    assert operation not in inbox(desk.host.token("Rita", "Report.Reviewer"))
    assert operation not in inbox(desk.host.token("Olga", "Report.Reviewer", tenant="elsewhere"))
    assert desk.host.call("GET", "proposals", desk.requester).status_code == 403


def test_the_review_address_leads_to_the_page(desk: Any) -> None:
    asked = desk.host.call("POST", "research", desk.requester, json={"topic": desk.TOPIC}).json()
    shown = f"{desk.host.url}/api/review?operation={asked['operation_id']}"
    assert asked["review_url"] == shown
    page = desk.host.http.get(shown)
    assert page.status_code == 200
    assert page.headers["Content-Type"].startswith("text/html")


def test_a_reviewer_can_ask_whether_an_operation_waits_for_them(desk: Any) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)

    def waiting(token: str) -> list[str]:
        answer = desk.host.call("GET", f"proposals?operation={operation}", token)
        rows = answer.json()["proposals"]
        return [row["operation_id"] for row in rows]

    assert waiting(desk.reviewer) == [operation]
    assert waiting(desk.escalation) == []
    desk.decide(operation, proposal)
    assert waiting(desk.second) == []


def test_a_report_that_was_changed_or_removed_is_not_served_as_the_published_one(
    desk: Any,
) -> None:
    operation = desk.ask()
    desk.decide(operation, desk.until_version(operation))
    done = desk.until_state(operation, "published")
    file = desk.host.data / "reports" / done["receipt"]["location"]

    def code() -> tuple[int, str]:
        answer = desk.host.call("GET", f"operations/{operation}/report", desk.requester)
        return answer.status_code, answer.json()["code"]

    file.write_text(file.read_text("utf-8") + "And more.", "utf-8")
    assert code() == (409, "report_altered")
    file.unlink()
    assert code() == (404, "report_missing")


def test_a_source_that_the_library_lost_can_still_be_cited_in_a_revision(
    make_host: Any, desk_at: Any, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    shutil.copytree(SAMPLE_LIBRARY, library)
    desk = desk_at(make_host(COUNTERSIGN_LIBRARY=str(library)).start())
    operation = desk.ask()
    first = desk.until_version(operation)
    for note in library.iterdir():
        note.unlink()
    desk.until_state(desk.ask(), "needs_revision")
    desk.decide(operation, first, "revise", comment="Make it shorter.")
    assert desk.until_version(operation, 2)["origin"] == "revision"


def test_the_evidence_for_a_correction_is_what_still_stands_in_it(desk: Any) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    path = f"operations/{operation}/proposals"
    before = desk.host.call("GET", f"{path}/1", desk.reviewer).json()
    kept = next(claim for claim in before["evidence"]["claims"] if claim["used"])
    text = f"# Mine\n\nI add this. \u201c{kept['quote']}\u201d\n"
    desk.decide(operation, first, "revise", correction={"text": text})
    desk.until_version(operation, 2)
    after = desk.host.call("GET", f"{path}/2", desk.reviewer).json()
    used = [claim["quote"] for claim in after["evidence"]["claims"] if claim["used"]]
    assert used == [kept["quote"]]
    assert "reviewer's own" in after["evidence"]["notes"]
