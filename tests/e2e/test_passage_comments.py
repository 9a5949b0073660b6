"""Comments on passages go to the team with one decision, and the next version answers each."""

from __future__ import annotations

from typing import Any

import pytest

SUBTOPICS = ["Timers", "Retries", "Sagas"]


def get(desk: Any, path: str, token: str | None = None) -> dict[str, Any]:
    answer = desk.host.call("GET", path, token or desk.reviewer)
    assert answer.status_code == 200, answer.text
    return answer.json()


def statement_in(version: dict[str, Any]) -> str:
    """The first quote that the report consists of."""
    return next(claim["quote"] for claim in version["evidence"]["claims"] if claim["used"])


def on(quote: str, **more: Any) -> dict[str, Any]:
    return {"quote": quote, "start": 0, **more}


@pytest.fixture
def commented(desk: Any) -> tuple[str, str]:
    """An operation whose second version answers two comments, and the passage of both."""
    operation = desk.ask(subtopics=SUBTOPICS)
    first = desk.until_version(operation)
    quote = statement_in(get(desk, f"operations/{operation}/proposals/1"))
    comments = [
        on(quote, comment="Please remove this."),
        on(quote, suggestion="Timers are durable."),
    ]
    answer = desk.decide(operation, first, "revise", comments=comments)
    assert answer.status_code == 200, answer.text
    desk.until_version(operation, 2)
    return operation, quote


def test_the_next_version_answers_each_comment(desk: Any, commented: tuple[str, str]) -> None:
    operation, quote = commented
    second = get(desk, f"operations/{operation}/proposals/2", desk.second)
    told = [(each["version"], each["number"], each["by"]) for each in second["comments"]]
    assert told == [(1, 1, "Victor"), (1, 2, "Victor")]
    removed, reworded = second["comments"]
    assert (removed["quote"], removed["comment"]) == (quote, "Please remove this.")
    assert removed["answer"] == {"done": True, "reason": "1 statement left out."}
    assert quote not in second["content"]["text"]
    assert (reworded["suggestion"], reworded["answer"]["done"]) == ("Timers are durable.", False)
    assert reworded["answer"]["reason"]
    first = get(desk, f"operations/{operation}/proposals/1", desk.second)
    assert first["comments"] == second["comments"]


def test_the_ledger_refers_to_the_comments_and_has_none_of_their_words(
    desk: Any, commented: tuple[str, str]
) -> None:
    operation, _ = commented
    history = desk.history(operation)
    [decision] = (each for each in history if each["type"] == "DecisionRecorded")
    assert len(decision["data"]["comments"]) == 64
    assert "Please remove this." not in str(history)


def test_a_person_resolves_a_comment_once(desk: Any, commented: tuple[str, str]) -> None:
    operation, _ = commented
    path = f"operations/{operation}/proposals/1/comments/1/resolve"
    first = desk.host.call("POST", path, desk.second)
    again = desk.host.call("POST", path, desk.reviewer)
    assert (first.status_code, first.json()["by"]) == (200, "Wanda")
    assert again.json() == first.json()
    resolved, open_yet = get(desk, f"operations/{operation}/proposals/2")["comments"]
    assert resolved["resolved"]["by"] == "Wanda"
    assert open_yet["resolved"] is None
    types = [event["type"] for event in desk.history(operation)]
    assert types.count("CommentResolved") == 1


def test_who_may_not_decide_resolves_nothing(desk: Any, commented: tuple[str, str]) -> None:
    operation, _ = commented
    path = f"operations/{operation}/proposals/1/comments/1/resolve"
    assert desk.host.call("POST", path, desk.requester).json()["code"] == "not_authorised"
    shown = get(desk, f"operations/{operation}/proposals/2", desk.requester)["comments"]
    assert {each["may_resolve"]["code"] for each in shown} == {"not_authorised"}


@pytest.mark.parametrize("comment", ["0", "3", "x", "9" * 400])
@pytest.mark.parametrize("caller", ["reviewer", "requester"])
def test_a_comment_that_there_is_not_is_not_found_by_who_may_decide_or_only_read(
    desk: Any, commented: tuple[str, str], comment: str, caller: str
) -> None:
    operation, _ = commented
    path = f"operations/{operation}/proposals/1/comments/{comment}/resolve"
    answer = desk.host.call("POST", path, getattr(desk, caller))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("decision", "body", "field"),
    [
        ("approve", {"comments": [on("a", comment="b")]}, "comments"),
        (
            "revise",
            {"comments": [on("a", comment="b")], "correction": {"text": "# Mine"}},
            "comments",
        ),
        ("revise", {"comments": []}, "comments"),
        ("revise", {"comments": [on("a")] * 51}, "comments"),
        ("revise", {"comments": [on(" ")]}, "comments.0.quote"),
        ("revise", {"comments": [on("a", start=-1)]}, "comments.0.start"),
        ("revise", {"comments": [on("a", start=2**53)]}, "comments.0.start"),
        ("revise", {"comments": [on("a", comment=" ")]}, "comments.0"),
        ("revise", {"comments": [on("a" * 2_001)]}, "comments.0.quote"),
        ("revise", {"comments": [on("a", more="b")]}, "comments.0.more"),
        ("revise", {"comments": [on("Nobody wrote this.", comment="b")]}, "comments.0.quote"),
    ],
)
def test_comments_that_do_not_fit_are_refused_at_their_field(
    desk: Any, decision: str, body: dict[str, Any], field: str
) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    refused = desk.decide(operation, first, decision, **body)
    assert (refused.status_code, refused.json()["code"]) == (422, "malformed")
    assert field in refused.json()["fields"]


@pytest.fixture
def offered(desk: Any) -> tuple[str, dict[str, Any]]:
    """An operation whose first version waits, and that version."""
    operation = desk.ask(subtopics=SUBTOPICS)
    desk.until_version(operation)
    return operation, get(desk, f"operations/{operation}/proposals/1")


def comment_on(desk: Any, operation: str, token: str, digest: str, *comments: Any) -> Any:
    body = {"digest": digest, "comments": [*comments]}
    path = f"operations/{operation}/proposals/1/comments"
    return desk.host.call("POST", path, token, json=body)


def test_comments_before_a_decision_are_shown_to_all_and_answered_by_the_next_version(
    desk: Any, offered: tuple[str, dict[str, Any]]
) -> None:
    operation, version = offered
    quote, digest = statement_in(version), version["digest"]
    removal = on(quote, comment="Please remove this.")
    added = comment_on(desk, operation, desk.second, digest, removal, removal)
    assert added.status_code == 200, added.text
    assert [each["by"] for each in added.json()["comments"]] == ["Wanda"]
    again = comment_on(desk, operation, desk.second, digest, removal)
    assert again.json() == added.json()
    shown = get(desk, f"operations/{operation}/proposals/1")
    assert [(each["by"], each["quote"]) for each in shown["comments"]] == [("Wanda", quote)]
    assert shown["status"] == "pending"

    own = on(quote, suggestion="Timers are durable.")
    answer = desk.decide(operation, version, "revise", comments=[own])
    assert answer.status_code == 200, answer.text
    desk.until_version(operation, 2)
    second = get(desk, f"operations/{operation}/proposals/2")
    told = [(each["number"], each["by"]) for each in second["comments"]]
    assert told == [(1, "Wanda"), (2, "Victor")]
    assert second["comments"][0]["answer"] == {"done": True, "reason": "1 statement left out."}
    assert second["comments"][1]["answer"] is not None
    resolve = f"operations/{operation}/proposals/1/comments/2/resolve"
    assert desk.host.call("POST", resolve, desk.second).status_code == 200
    history = desk.history(operation)
    [event] = (each for each in history if each["type"] == "CommentsAdded")
    assert (event["data"]["count"], len(event["data"]["comments"])) == (1, 64)
    assert "Please remove this." not in str(history)


def test_comments_that_were_added_are_enough_to_request_changes(
    desk: Any, offered: tuple[str, dict[str, Any]]
) -> None:
    operation, version = offered
    said = on(statement_in(version), comment="Please remove this.")
    comment_on(desk, operation, desk.second, version["digest"], said)
    assert desk.decide(operation, version, "revise").status_code == 200


def test_comments_on_another_text_by_other_people_or_false_ones_are_refused(
    desk: Any, offered: tuple[str, dict[str, Any]]
) -> None:
    operation, version = offered
    said, digest = on(statement_in(version), comment="Why?"), version["digest"]
    refused = [
        comment_on(desk, operation, desk.requester, digest, said),
        comment_on(desk, operation, desk.reviewer, "0" * 64, said),
        comment_on(desk, operation, desk.reviewer, digest, on("Nobody wrote this.", comment="b")),
        comment_on(desk, operation, desk.reviewer, digest),
    ]
    codes = [(each.status_code, each.json()["code"]) for each in refused]
    assert codes == [
        (403, "not_authorised"),
        (409, "digest_mismatch"),
        (422, "malformed"),
        (422, "malformed"),
    ]
    assert list(refused[2].json()["fields"]) == ["comments.0.quote"]
    assert not [each for each in desk.history(operation) if each["type"] == "CommentsAdded"]
