"""What the reviewer's page gets: who I am, what waits, what it rests on, what changed and why."""

from __future__ import annotations

from typing import Any

import pytest

from countersign.team.colophon import EDITED

PUBLISHED = "The report is published, once, exactly as shown."


def get(desk: Any, path: str, token: str | None = None) -> Any:
    answer = desk.host.call("GET", path, token or desk.reviewer)
    assert answer.status_code == 200, answer.text
    return answer.json()


def words(changes: dict[str, Any], op: str) -> str:
    return " ".join(piece["text"] for piece in changes["words"] if piece["op"] == op)


def test_people_are_told_who_they_are_and_what_they_may_do(desk: Any) -> None:
    me = get(desk, "me")
    assert me["name"] == "Victor"
    assert me["tenant"] == "home"
    assert me["roles"] == ["Report.Reviewer"]
    assert me["may"] == {"kinds": [], "request": False, "purchase": False, "decide": True}
    asking = {"kinds": ["research"], "request": True, "purchase": False, "decide": False}
    assert get(desk, "me", desk.requester)["may"] == asking
    assert get(desk, "me", desk.escalation)["may"] == me["may"]
    nobody = desk.host.call("GET", "me")
    assert (nobody.status_code, nobody.json()["code"]) == (401, "unauthenticated")


def test_lists_and_views_say_what_approval_means_and_what_was_spent(desk: Any) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    [row] = get(desk, f"proposals?operation={operation}")["proposals"]
    listed = get(desk, "operations?limit=100")["operations"]
    seen = get(desk, f"operations/{operation}")
    same = next(each for each in listed if each["operation_id"] == operation)
    for shown in (row, same, seen):
        assert shown["consequence"] == PUBLISHED
        assert shown["tokens"] == seen["usage"]["tokens"]


def test_every_quote_that_was_found_is_shown_in_its_context(desk: Any) -> None:
    text = (
        "Nobody knows why. A tidal mill stores the\nflood behind a gate. The ebb turns its wheel."
    )
    operation = desk.ask("Tidal mill", documents=[{"title": "Mills", "text": text}])
    desk.until_version(operation)
    claims = get(desk, f"operations/{operation}/proposals/1")["evidence"]["claims"]
    assert all((claim["passage"] is not None) == claim["found"] for claim in claims)
    passages = [claim["passage"] for claim in claims if claim["found"]]
    assert passages
    for passage in passages:
        whole = passage["before"] + passage["quote"] + passage["after"]
        assert whole == " ".join(text.split())


def test_the_passages_stay_with_a_reviewers_own_text(desk: Any) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    desk.decide(operation, first, "revise", correction={"text": "# Mine\n"})
    desk.until_version(operation, 2)
    versions = [get(desk, f"operations/{operation}/proposals/{version}") for version in (1, 2)]
    before, after = (
        [claim["passage"] for claim in version["evidence"]["claims"]] for version in versions
    )
    assert before == after


def test_a_row_says_what_the_evidence_for_its_newest_version_comes_to(desk: Any) -> None:
    operation = desk.ask()

    def counted() -> dict[str, Any]:
        [row] = get(desk, f"operations?text={operation}")["operations"]
        return row["evidence"]

    first = desk.until_version(operation)
    evidence = get(desk, f"operations/{operation}/proposals/1")["evidence"]
    used = [claim for claim in evidence["claims"] if claim["used"]]
    assert counted() == {"claims": len(used), "to_check": 0}
    desk.decide(operation, first, "revise", correction={"text": "# Mine\n"})
    desk.until_version(operation, 2)
    assert counted() == {"claims": 0, "to_check": None}


def test_changes_are_shown_word_by_word_since_any_version_with_who_asked_and_why(desk: Any) -> None:
    operation = desk.ask()
    path = f"operations/{operation}/proposals"
    first = desk.until_version(operation)
    assert get(desk, f"{path}/1")["changes"] is None
    desk.decide(
        operation,
        first,
        "revise",
        comment="In my words.",
        correction={"text": "# One\n\nSo be it.\n"},
    )
    second = desk.until_version(operation, 2)
    corrected = {"text": "# One\n\nSo be it, then.\n"}
    desk.decide(operation, second, "revise", token=desk.second, correction=corrected)
    desk.until_version(operation, 3)

    latest = get(desk, f"{path}/3")["changes"]
    assert (latest["since"], latest["origin"]) == (2, "correction")
    assert (latest["by"], latest["why"]) == ("Wanda", "")
    assert latest["words"] == [
        {"op": "same", "text": "# One\n\nSo be it"},
        {"op": "added", "text": ", then"},
        {"op": "same", "text": f".\n\n{EDITED}\n"},
    ]

    whole = get(desk, f"{path}/3?since=1")["changes"]
    assert (whole["since"], whole["by"], whole["why"]) == (1, "Victor", "In my words.")
    assert "So be it, then." in words(whole, "added")


@pytest.mark.parametrize("since", ["0", "1", "2", "x", "-1", "9" * 5_000])
def test_changes_since_what_was_not_before_are_refused(desk: Any, since: str) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    path = f"operations/{operation}/proposals/1?since={since}"
    refused = desk.host.call("GET", path, desk.reviewer)
    assert (refused.status_code, refused.json()["code"]) == (422, "malformed")
    assert "since" in refused.json()["fields"]


def test_nobody_asked_for_an_escalation_and_it_changes_nothing(desk: Any) -> None:
    operation = desk.ask(approval={"window_seconds": 2})
    desk.until_version(operation, 2)
    changes = get(desk, f"operations/{operation}/proposals/2")["changes"]
    assert changes["origin"] == "escalation"
    assert (changes["by"], changes["why"]) == ("", "")
    assert changes["words"] == []


def test_whoever_decides_too_late_is_shown_the_new_version_on_the_page(desk: Any) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    desk.decide(operation, first, "revise", correction={"text": "# Another\n"})
    desk.until_version(operation, 2)
    refused = desk.decide(operation, first, token=desk.second).json()
    assert refused["code"] == "superseded"
    assert refused["review_url"].endswith(f"/api/review?operation={operation}&version=2")
    assert "Another" in words(refused["changes"], "added")


def test_whoever_looks_is_told_what_they_may_do_and_why_not(desk: Any) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    path = f"operations/{operation}"
    may = get(desk, f"{path}/proposals/1")["may"]
    assert may["decide"] == {"approve": True, "reject": True, "revise": True}
    assert (may["correct"], may["ask"]) == (True, True)
    assert may["withdraw"]["code"] == "not_authorised"
    for shown in (get(desk, f"{path}/proposals/1", desk.requester), own(desk, operation)):
        assert shown["may"]["withdraw"] is True
        assert shown["may"]["decide"]["approve"]["code"] == "not_authorised"
        assert "Report.Reviewer" in shown["may"]["decide"]["approve"]["detail"]
    asked = desk.operation(operation)["may"]
    may_not = {"code": "not_authorised", "detail": "This requires the role Operator."}
    idle = {
        "code": "not_authorised",
        "detail": "This requires that the work waits for an operator.",
    }
    assert asked == {"read": True, "withdraw": True, "retry": idle, "stop": may_not}


def own(desk: Any, operation: str) -> Any:
    return get(desk, f"operations/{operation}", desk.requester)["proposal"]


def test_what_is_refused_is_what_was_said_beforehand(desk: Any) -> None:
    operation = desk.ask(approval={"quorum": 2})
    proposal = desk.until_version(operation)
    desk.decide(operation, proposal)
    desk.decide(operation, proposal, token=desk.second)
    told = get(desk, f"operations/{operation}/proposals/1")["may"]["decide"]["reject"]
    refused = desk.decide(operation, proposal, "reject").json()
    assert told == {"code": refused["code"], "detail": refused["detail"]}


def test_limits_are_those_that_requests_are_held_to(desk: Any) -> None:
    limits = get(desk, "limits", desk.requester)
    longest = limits["report"]["longest_topic"]
    for over, status in ((0, 202), (1, 422)):
        topic = "t" * (longest + over)
        body = {"topic": topic, "subtopics": ["Replay"]}
        answer = desk.host.call("POST", "research", desk.requester, json=body)
        assert answer.status_code == status
    assert limits["report"]["documents"].items() <= get(desk, "documents", desk.requester).items()
    assert limits["report"]["look_in"] == get(desk, "sources", desk.requester)["look_in"]
    assert limits["order"] is None


def test_limits_name_the_currencies_of_orders_and_what_amounts_take(buyers: Any) -> None:
    order = get(buyers, "limits", buyers.requester)["order"]
    euros = next(each for each in order["currencies"] if each["currency"] == "EUR")
    assert euros["decimals"] == 2
    assert euros["tiers"][1]["countersigner_role"] == "Purchase.Escalation"
    for tier in euros["tiers"]:
        above = float(tier["above"])
        operation, _ = buyers.waiting(f"{(above + 2) / 2:.2f}")
        approvals = buyers.shown(operation)["approvals"]
        assert approvals["quorum"] == tier["quorum"]
        assert approvals["countersigner_role"] == tier["countersigner_role"]
